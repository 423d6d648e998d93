/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the state machine of room.  It says which member asks for which
 * session, which members are inside, and what the operations change.  This code
 * makes no steps.
 *
 *	k        the most members inside at a time
 *	next     the ticket of the next arrival
 *	horizon  a waiter that asks for the session inside can pass conflicting
 *	         waiters if its ticket is below the horizon; 0: no waiter can
 *	session  for each member: the session it asks for; 0: the member is away
 *	place    for each member: bits 0-8: slot + 1, or 0 if it waits; bit 9:
 *	         set if it was called, that is, let in by another member's
 *	         operation; bits 10-62: its ticket
 *
 * Bit 63 of a result is set if a called member is inside.  Then the process
 * that made the operation tells the called members (hand_over in room.h).  The
 * other bits of the result are a place.  After REQUEST this is the new place of
 * the member.  After OUT it is the place that the member had before, or 0 if
 * the member was away.
 *
 * The code does not trust the values of the state: a slot out of range counts
 * as no slot, a k out of range counts as no limit, and the caller's own n
 * bounds every loop.
 * 2^53 tickets last for 28 years at ten million arrivals a second.
 */
#ifndef ATMOST_ROOM_MACHINE_H
#define ATMOST_ROOM_MACHINE_H

#include "algorithm.h"

enum { MOST_MEMBERS = 256 };

/* The first words of the state; the sessions, which start at STATE_SESSION, and
 * the places follow. */
enum { STATE_K, STATE_NEXT, STATE_HORIZON, STATE_SESSION };

enum { REQUEST = 1, OUT, RESIZE, DEED = 3, MEMBER_AT = 2 };

enum { SLOT = 0x1ff, WAS_CALLED = 0x200, TICKET_AT = 10 };

static const uint64_t SOMEBODY_CALLED = UINT64_C(1) << 63;
static const uint64_t TICKET = (UINT64_C(1) << 53) - 1;

static inline unsigned state_words(const struct shape *shape)
{
	return STATE_SESSION + 2 * shape->n;
}

static inline unsigned session_at(unsigned p)
{
	return STATE_SESSION + p;
}

static inline unsigned place_at(const struct shape *shape, unsigned p)
{
	return STATE_SESSION + shape->n + p;
}

static inline uint64_t ticket_of(uint64_t place)
{
	return place >> TICKET_AT & TICKET;
}

static inline uint64_t place_of(uint64_t ticket)
{
	return (ticket & TICKET) << TICKET_AT;
}

static inline bool is_inside(uint64_t place)
{
	return (place & SLOT) != 0;
}

static inline bool was_called(uint64_t place)
{
	return is_inside(place) && (place & WAS_CALLED);
}

/* k = 0 means no limit, which is the same as a limit of n. */
static inline uint64_t limit(const struct shape *shape, uint64_t k)
{
	return k == 0 || k > shape->n ? shape->n : k;
}

/* The members inside: their number, session and slots. */
struct inside {
	unsigned count;
	bool called; /* at least one of them was called */
	uint64_t session;
	uint64_t taken[MOST_MEMBERS / 64];
};

static inline void count_in(const struct shape *shape, struct inside *inside,
			    uint64_t session, uint64_t place)
{
	unsigned slot = (unsigned)(place & SLOT) - 1;

	inside->count++;
	inside->called |= was_called(place);
	inside->session = session;
	if (slot < shape->n)
		inside->taken[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline void look_inside(const struct shape *shape, const uint64_t *state,
			       struct inside *inside)
{
	*inside = (struct inside){ 0 };
	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t place = state[place_at(shape, p)];

		if (state[session_at(p)] != 0 && is_inside(place))
			count_in(shape, inside, state[session_at(p)], place);
	}
}

/* Returns the lowest free slot.  A slot is free, because the caller has checked
 * that fewer members are inside than there are slots. */
static inline unsigned lowest_free(const struct inside *inside)
{
	unsigned w = 0;

	while (w < MOST_MEMBERS / 64 - 1 && inside->taken[w] == UINT64_MAX)
		w++;
	for (unsigned i = 0; i < 64; i++)
		if (!(inside->taken[w] >> i & 1))
			return 64 * w + i;
	return 64 * w;
}

/* Returns the waiter with the smallest ticket above `after`, or n if there is
 * no such waiter. */
static inline unsigned next_waiting(const struct shape *shape,
				    const uint64_t *state, uint64_t after)
{
	unsigned first = shape->n;
	uint64_t least = UINT64_MAX;

	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t place = state[place_at(shape, p)];
		uint64_t ticket = ticket_of(place);

		if (state[session_at(p)] == 0 || is_inside(place) ||
		    ticket <= after || ticket >= least)
			continue;
		least = ticket;
		first = p;
	}
	return first;
}

static inline void let_in(const struct shape *shape, uint64_t *state,
			  struct inside *inside, unsigned w, bool called)
{
	uint64_t *place = &state[place_at(shape, w)];

	*place = place_of(ticket_of(*place)) | (lowest_free(inside) + 1);
	if (called)
		*place |= WAS_CALLED;
	count_in(shape, inside, state[session_at(w)], *place);
}

/*
 * Let in every waiter that can enter, in the order of tickets.  A waiter can
 * enter if it asks for the session inside and either no conflicting waiter has
 * a smaller ticket, or its own ticket is below the horizon.  If no member is
 * inside, the first waiter begins a period and sets the horizon.  The member
 * `asks` is not marked as called, because the result of its own operation tells
 * it that it is inside.  Returns SOMEBODY_CALLED if a called member is inside,
 * otherwise 0.
 */
static inline uint64_t admit(const struct shape *shape, uint64_t *state,
			     unsigned asks)
{
	struct inside inside;
	uint64_t ticket = 0;
	bool conflict = false;

	look_inside(shape, state, &inside);
	while (inside.count < limit(shape, state[STATE_K])) {
		unsigned w = next_waiting(shape, state, ticket);

		if (w == shape->n)
			break;
		ticket = ticket_of(state[place_at(shape, w)]);
		if (inside.count == 0)
			state[STATE_HORIZON] = CAPTURES ? state[STATE_NEXT] : 0;
		if (inside.count == 0 ||
		    (state[session_at(w)] == inside.session &&
		     (!conflict || ticket < state[STATE_HORIZON])))
			let_in(shape, state, &inside, w, w != asks);
		else
			conflict = true;
		/* In this case no waiter with a later ticket can enter. */
		if (conflict && ticket + 1 >= state[STATE_HORIZON])
			break;
	}
	return inside.called ? SOMEBODY_CALLED : 0;
}

static inline uint64_t request(const struct shape *shape, uint64_t *state,
			       unsigned p, uint64_t session)
{
	uint64_t called;

	if (session == 0 || state[session_at(p)] != 0)
		return 0;
	state[session_at(p)] = session;
	state[place_at(shape, p)] = place_of(state[STATE_NEXT]);
	state[STATE_NEXT] = (state[STATE_NEXT] + 1) & TICKET;
	called = admit(shape, state, p);
	return state[place_at(shape, p)] | called;
}

/* The operation OUT, with which a member leaves, gives up or is recovered. */
static inline uint64_t go_out(const struct shape *shape, uint64_t *state,
			      unsigned p)
{
	uint64_t place = state[place_at(shape, p)] & ~SOMEBODY_CALLED;

	state[session_at(p)] = 0;
	state[place_at(shape, p)] = 0;
	return place | admit(shape, state, shape->n);
}

/* The context is the caller's shape. */
static void machine(void *context, uint64_t *state, uint64_t operation,
		    const uint64_t *argument, uint64_t *result)
{
	const struct shape *shape = context;
	uint64_t p = operation >> MEMBER_AT;

	result[0] = 0;
	if ((operation & DEED) == RESIZE) {
		state[STATE_K] = argument[0];
		result[0] = admit(shape, state, shape->n);
	} else if (p >= shape->n) {
		return;
	} else if ((operation & DEED) == REQUEST) {
		result[0] = request(shape, state, (unsigned)p, argument[0]);
	} else if ((operation & DEED) == OUT) {
		result[0] = go_out(shape, state, (unsigned)p);
	}
}

#endif
