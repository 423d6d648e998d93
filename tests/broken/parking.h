/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ticket semaphore with S = PLACES parking words, as a programmer might
 * write it.
 * A waiter marks the parking word of its ticket.  The leaver that makes room
 * for this ticket clears the mark and wakes the waiter.  The toys differ in how
 * a waiter writes its mark.
 */
#ifndef ATMOST_TESTS_BROKEN_PARKING_H
#define ATMOST_TESTS_BROKEN_PARKING_H

#include "algorithm.h"

enum { PLACES = 2 };

struct parking {
	struct word next, grant, park[PLACES]; /* a mark is ticket + 1 */
};

static size_t parking_words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct parking);
}

static void parking_init(void *shared, const struct shape *shape)
{
	struct parking *s = shared;

	(void)shape;
	mem_name(&s->next, "next");
	mem_name(&s->grant, "grant");
	for (unsigned i = 0; i < PLACES; i++)
		mem_name(&s->park[i], "park", i);
}

static void parking_leave(void *shared, struct process *self)
{
	struct parking *s = shared;
	uint64_t turn, mark;

V1:	turn = mem_add(&s->grant, 1) + self->shape->k;
V2:	mark = mem_read(&s->park[turn % PLACES]);
	if (mark != turn + 1)
		return;
V3:	mem_write(&s->park[turn % PLACES], 0);
	mem_wake(&s->park[turn % PLACES]);
}

#endif
