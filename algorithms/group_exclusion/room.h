/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room and room-capture: how a member gets in, out, and is recovered.  What
 * differs, CAPTURES, stands before this header.
 *
 * GO[p] is the ticket with which p was last called: the only word p sleeps on.
 * It only grows, and before p asks again it has every ticket with which p was
 * called, also where p found that out by itself: so who is late with an older
 * one changes nothing, and one attempt to write it is enough.
 *
 * Who publishes an operation after which somebody inside was called tells all
 * of these.  Disturbed by a newer publication it may leave that to its author:
 * the author of the last one is not disturbed.
 *
 * M1 to M6 as in docs/algorithms/room.md; H1 to H3: hand over.
 */
#ifndef ATMOST_ROOM_H
#define ATMOST_ROOM_H

#include "object_below.h"

enum { ROUNDS = 2 };

static void tell(struct word *GO, uint64_t ticket)
{
	uint64_t g;

H2:	g = mem_read(GO);
	if (g < ticket)
H3:		(void)mem_cas(GO, g, ticket);
	/* Also if it was told before: who did that may have died since. */
	mem_wake(GO);
}

/* Tell those that were called. */
static void hand_over(void *shared, const struct shape *shape,
		      const struct object *o)
{
	uint64_t *place = o->own;
	bool again = true;

	for (unsigned round = 0; round < ROUNDS && again; round++)
		if (!below(shape)->read(o, place_at(shape, 0), shape->n, place,
					&again)) /* H1 */
			return;
	for (unsigned q = 0; q < shape->n && !again; q++) {
		uint64_t called = place[q];

		place[q] = 0;
		if (was_called(called))
			tell(GO_of(shared, q), ticket_of(called));
	}
	mem_dead(place, shape->n);
}

static inline void be_evicted(struct process *self)
{
	self->evicted = true;
	self->slot = -1;
}

/* True: we are inside, or evicted. */
static bool accept(struct process *self, uint64_t place)
{
	if (ticket_of(place) != mem_own_read(self, OWN_TICKET) ||
	    (place & SLOT) > self->shape->n) {
		be_evicted(self);
		return true;
	}
	if (!is_inside(place))
		return false;
	self->slot = (int)(place & SLOT) - 1;
	return true;
}

static bool doorway(void *shared, struct process *self)
{
	struct object o = object_for(shared, self);
	uint64_t result;

	if (self->evicted)
		return false;
	if (!operate(&o, self->shape, self->id, REQUEST, self->session,
		     &result) || ticket_of(result) == 0) { /* M1 */
		be_evicted(self);
		return false;
	}
	mem_own_write(self, OWN_TICKET, ticket_of(result));
	if (result & SOMEBODY_CALLED)
		hand_over(shared, self->shape, &o);
	return accept(self, result) && !self->evicted;
}

/* Our place, if it can be had undisturbed. */
static bool look_up(const struct object *o, struct process *self)
{
	unsigned at = place_at(self->shape, self->id);
	uint64_t place = 0;
	bool again = true;

	for (unsigned round = 0; round < ROUNDS && again; round++)
		if (!below(self->shape)->read(o, at, 1, &place, &again)) {
			be_evicted(self);
			return true;
		}
	return !again && accept(self, place);
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct object o = object_for(shared, self);
	struct word *GO = GO_of(shared, self->id);
	uint64_t go, place = 0;

	if (self->evicted)
		return true;
M2:	go = mem_read(GO);
	if (go == mem_own_read(self, OWN_TICKET)) {
		/* It is ours until we go ourselves. */
		below(self->shape)->settled(&o, place_at(self->shape, self->id),
					    &place);
		if (!accept(self, place))
			be_evicted(self);
		return true;
	}
	/* Who called us may not have lived to tell us. */
	if (wait_slept(wait) && look_up(&o, self)) /* M3 */
		return true;
	wait_for_change(wait, GO, go);
	return false;
}

/* What was said to go out: GO[p] gets the ticket, and others are told. */
static void end(void *shared, const struct shape *shape, const struct object *o,
		unsigned p, uint64_t result)
{
	if (was_called(result))
		tell(GO_of(shared, p), ticket_of(result));
	if (result & SOMEBODY_CALLED)
		hand_over(shared, shape, o);
}

/* True: we were here. */
static bool leave_room(void *shared, struct process *self, uint64_t *result)
{
	struct object o = object_for(shared, self);

	mem_own_write(self, OWN_TICKET, 0);
	if (self->evicted)
		return false;
	if (!operate(&o, self->shape, self->id, OUT, 0, result)) {
		be_evicted(self);
		return false;
	}
	end(shared, self->shape, &o, self->id, *result);
	return ticket_of(*result) != 0;
}

static int depart(void *shared, struct process *self)
{
	uint64_t result = 0;

	if (!leave_room(shared, self, &result) || !is_inside(result)) /* M4 */
		be_evicted(self);
	return self->evicted ? EVICTED : 0;
}

static void leave(void *shared, struct process *self)
{
	(void)depart(shared, self);
}

/* Too late even if we have just been called. */
static void give_up(void *shared, struct process *self)
{
	uint64_t result = 0;

	if (!leave_room(shared, self, &result)) /* M5 */
		be_evicted(self);
}

/*
 * First what the dead one had under way takes effect: else it would later.  If
 * that was to go out, its result is all that is left to end it by; also if it
 * was one that recovered it before us.
 */
static void recover(void *shared, struct process *victim)
{
	const struct shape *shape = victim->shape;
	struct object o = object_for(shared, victim);
	uint64_t tag = 0, result = 0;

	if (!below(shape)->recover(&o, victim->id, &tag, &result))
		return;
	if (was_called(result))
		tell(GO_of(shared, victim->id), ticket_of(result));
	if (operate(&o, shape, victim->id, OUT, 0, &result)) /* M6 */
		end(shared, shape, &o, victim->id, result);
}

/* Under a name of its own, of which the last to resize may have died. */
static void resize(void *shared, const struct shape *shape, unsigned k)
{
	uint64_t own[own_words(shape)];
	struct object o = object_in(shared, shape, own);
	uint64_t tag = 0, result = 0;

	mem_dead(own, own_words(shape));
	if (below(shape)->recover(&o, shape->n, &tag, &result) &&
	    operate(&o, shape, shape->n, RESIZE, k, &result) &&
	    (result & SOMEBODY_CALLED))
		hand_over(shared, shape, &o);
}

#endif
