/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A group lock whose queue is one word.  A process joins or leaves the queue
 * in one large step (mem_atomic).  Each place of the queue holds id + 1 and the
 * requested session; `admitted` has a bit for each process inside.  Each toy
 * decides which waiters it admits.
 */
#ifndef ATMOST_TESTS_BROKEN_ROOM_QUEUE_H
#define ATMOST_TESTS_BROKEN_ROOM_QUEUE_H

#include "algorithm.h"

enum { PLACE_BITS = 6, ID_MASK = 7, SESSION_SHIFT = 3 };

struct room_queue {
	struct word queue, admitted;
};

static size_t room_words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct room_queue);
}

static void room_init(void *shared, const struct shape *shape)
{
	struct room_queue *r = shared;

	(void)shape;
	mem_name(&r->queue, "queue");
	mem_name(&r->admitted, "admitted");
}

static uint64_t id_of(uint64_t place)
{
	return (place & ID_MASK) - 1;
}

static inline uint64_t session_of(uint64_t place)
{
	return place >> SESSION_SHIFT & ID_MASK;
}

/* The toy defines this function: it returns the new value of `admitted` after
 * the queue has changed. */
static uint64_t admit(uint64_t queue, uint64_t admitted);

static uint64_t room_append(void *shared, struct process *self)
{
	struct room_queue *r = shared;
	uint64_t queue = mem_peek(&r->queue);
	unsigned shift = 0;

	while (queue >> shift & ID_MASK)
		shift += PLACE_BITS;
	queue |= (self->id + 1 + (self->session << SESSION_SHIFT)) << shift;
	mem_poke(&r->queue, queue);
	mem_poke(&r->admitted, admit(queue, mem_peek(&r->admitted)));
	return 0;
}

static uint64_t room_withdraw(void *shared, struct process *self)
{
	struct room_queue *r = shared;
	uint64_t queue = mem_peek(&r->queue), kept = 0;
	uint64_t admitted = mem_peek(&r->admitted);

	for (unsigned shift = 0; queue; queue >>= PLACE_BITS) {
		if (id_of(queue) == self->id)
			continue;
		kept |= (queue & ((1 << PLACE_BITS) - 1)) << shift;
		shift += PLACE_BITS;
	}
	mem_poke(&r->queue, kept);
	mem_poke(&r->admitted, admit(kept, admitted & ~(UINT64_C(1) << self->id)));
	return 0;
}

static bool room_doorway(void *shared, struct process *self)
{
M1:	mem_atomic(room_append, shared, self);
	return false;
}

static inline bool room_poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct room_queue *r = shared;
	uint64_t admitted;

M2:	admitted = mem_read(&r->admitted);
	if (admitted >> self->id & 1)
		return true;
	wait_for_change(wait, &r->admitted, admitted);
	return false;
}

static inline void room_leave(void *shared, struct process *self)
{
	struct room_queue *r = shared;

M3:	mem_atomic(room_withdraw, shared, self);
	mem_wake(&r->admitted);
}

static unsigned room_one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

#endif
