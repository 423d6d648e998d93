/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the words of room are at first, what holds of them always and when all
 * is quiet, what they say to who looks on; and bounds.
 */
#ifndef ATMOST_ROOM_STATE_H
#define ATMOST_ROOM_STATE_H

#include "object_below.h"
#include "room.h"

static void init(void *shared, const struct shape *shape)
{
	struct object o = object_in(shared, shape, NULL);

	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(GO_of(shared, p), 0);
		mem_place(GO_of(shared, p), p);
		mem_name(GO_of(shared, p), "GO", p);
	}
	below(shape)->init(&o);
	mem_poke(below(shape)->first(&o) + STATE_K, shape->k);
	mem_poke(below(shape)->first(&o) + STATE_NEXT, 1);
}

static inline uint64_t session_now(const struct object *o,
				   const struct shape *shape, unsigned p)
{
	uint64_t session = 0;

	below(shape)->peek(o, session_at(p), &session);
	return session;
}

static inline uint64_t place_now(const struct object *o,
				 const struct shape *shape, unsigned p)
{
	uint64_t place = 0;

	below(shape)->peek(o, place_at(shape, p), &place);
	return place;
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct object o = object_in(shared, shape, NULL);

	for (unsigned p = 0; p < shape->n; p++)
		if (session_now(&o, shape, p) != 0 ||
		    place_now(&o, shape, p) != 0)
			return false;
	return below(shape)->quiet(&o);
}

/* p and who is inside or waits beside it. */
static inline bool is_in_order(const struct object *o,
			       const struct shape *shape, unsigned p)
{
	uint64_t session = session_now(o, shape, p);
	uint64_t place = place_now(o, shape, p);

	for (unsigned q = 0; q < p; q++) {
		uint64_t other = place_now(o, shape, q);

		if (place == 0 || other == 0)
			continue;
		if (ticket_of(place) == ticket_of(other))
			return false;
		if (is_inside(place) && is_inside(other) &&
		    (session_now(o, shape, q) != session ||
		     (place & SLOT) == (other & SLOT)))
			return false;
	}
	return (session != 0) == (place != 0) && (place & SLOT) <= shape->n;
}

/* What the words say of p is where p is; who was told was called. */
static inline bool is_as_seen(void *shared, const struct object *o,
			      const struct shape *shape, unsigned p,
			      const struct whereabouts *at)
{
	uint64_t place = place_now(o, shape, p);

	switch (at->phase) {
	case PHASE_REMAINDER:
		return place == 0;
	case PHASE_INSIDE:
		return (place & SLOT) == (uint64_t)at->slot + 1 &&
		       session_now(o, shape, p) == at->session;
	case PHASE_WAITING:
		return place != 0 && session_now(o, shape, p) == at->session &&
		       (was_called(place) ||
			mem_peek(GO_of(shared, p)) < ticket_of(place));
	default:
		return true;
	}
}

/* Nobody is kept waiting: who waits with the smallest ticket conflicts, or
 * there is no room. */
static inline bool nobody_could_enter(const struct object *o,
				      const struct shape *shape)
{
	uint64_t k = 0, least = UINT64_MAX, first = 0, inside = 0, session = 0;

	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t place = place_now(o, shape, p);

		if (is_inside(place)) {
			inside++;
			session = session_now(o, shape, p);
		} else if (place != 0 && ticket_of(place) < least) {
			least = ticket_of(place);
			first = session_now(o, shape, p);
		}
	}
	below(shape)->peek(o, STATE_K, &k);
	return first == 0 || inside >= limit(shape, k) ||
	       (inside > 0 && first != session);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct object o = object_in(shared, shape, NULL);

	for (unsigned p = 0; p < shape->n; p++)
		if (!is_in_order(&o, shape, p) ||
		    !is_as_seen(shared, &o, shape, p, &all[p]))
			return false;
	return nobody_could_enter(&o, shape);
}

static int holder(void *shared, const struct shape *shape, unsigned slot)
{
	struct object o = object_in(shared, shape, NULL);

	for (unsigned p = 0; p < shape->n; p++)
		if ((place_now(&o, shape, p) & SLOT) == (uint64_t)slot + 1)
			return (int)p;
	return -1;
}

static uint64_t rank(void *shared, const struct shape *shape, unsigned id)
{
	struct object o = object_in(shared, shape, NULL);
	uint64_t place = id < shape->n ? place_now(&o, shape, id) : 0;

	return is_inside(place) ? 0 : ticket_of(place);
}

/* Bounds: an operation, ROUNDS of H1, H2 and H3 for each of the others. */

static unsigned doorway_steps(const struct shape *shape)
{
	struct object o = object_of(shape);

	return below(shape)->apply_steps(&o) +
	       ROUNDS * below(shape)->read_steps(&o, shape->n) +
	       2 * (shape->n - 1);
}

/* H2 and H3 for ourselves, too. */
static unsigned leave_steps(const struct shape *shape)
{
	return doorway_steps(shape) + 2;
}

/* M2, M3 and where we are; twice, for it may be in the middle of a pass. */
static unsigned solo_steps(const struct shape *shape)
{
	struct object o = object_of(shape);

	return 2 * (1 + ROUNDS * below(shape)->read_steps(&o, 1) +
		    below(shape)->settled_steps);
}

/* Each access counted as remote; GO[p] is read twice. */
static uint64_t remote(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return (uint64_t)doorway_steps(shape) + leave_steps(shape) + 2 +
	       below(shape)->settled_steps;
}

static bool fits(const struct algorithm *component)
{
	return component->object.construction != NULL;
}

static void compose(struct algorithm *whole)
{
	const struct algorithm *x = whole->composition.component;

	whole->primitives |= x->primitives;
	whole->simulated_only = x->simulated_only;
	if (x->object.construction->most_names <= whole->limits.most_n)
		whole->limits.most_n = x->object.construction->most_names - 1;
	if (x->simulated_only) {
		whole->bounds.rmr_cc = x->bounds.rmr_cc;
		whole->bounds.rmr_dsm = x->bounds.rmr_dsm;
	}
}

#endif
