/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the code of room and room-capture, which differ only in the constant
 * CAPTURES; the including file defines this constant.  The state machine is in
 * room_machine.h; the construction of the component makes the machine a shared
 * object.
 *
 * A member is said to be called if the operation of another member lets it in.
 * GO[p] is the ticket with which p was called last, and the only word on which
 * p sleeps.
 * GO[p] only grows.  By the time p asks again, GO[p] has reached every ticket
 * with which p was called, even if p found out by itself that it was called.
 * So a process that comes late with an older ticket does not change GO[p], and
 * one attempt to write GO[p] is enough.
 *
 * If a called member is inside after an operation, the process that made the
 * operation tells all called members.  If a newer operation disturbs this
 * process, it can leave the telling to the process that made the newer
 * operation.  No operation disturbs the process that made the last operation.
 *
 * M1 to M6 are explained in docs/algorithms/room.md.  H1 to H3 are the steps of
 * hand_over.
 */
#ifndef ATMOST_ROOM_H
#define ATMOST_ROOM_H

#include "room_machine.h"

/*
 * The object.  room uses only the construction of its component.  The names of
 * the object are the ids of the members, so no k-assignment hands them out.
 * One more name belongs to the resizer.
 *
 * Tags let a recoverer find out whether an operation took effect.  The
 * recoverer of a member of room need not know this, because going out twice has
 * the same effect as going out once.  So all operations have the same tag.
 */
enum { ANY_TAG = 1 };

/* The words GO, one for each member, come before the object; each of them has a
 * cache line of its own. */
struct line {
	OWN_LINE struct word word;
};

static inline struct word *GO_of(void *shared, unsigned p)
{
	struct line *first = shared;

	return &first[p].word;
}

static size_t component_at(const struct shape *shape)
{
	return shape->n * WORDS(struct line);
}

static inline const struct construction *below(const struct shape *shape)
{
	return shape->component->object.construction;
}

/* Returns the object without its words; callers use it to compute sizes. */
static inline struct object object_of(const struct shape *shape)
{
	return (struct object){
		.names = shape->n + 1,
		.state = state_words(shape),
		.arguments = 1,
		.results = 1,
		.f = machine,
		.context = (void *)(uintptr_t)shape,
	};
}

static inline struct object object_in(void *shared, const struct shape *shape,
				      uint64_t *own)
{
	struct object o = object_of(shape);

	o.words = (struct word *)shared + component_at(shape);
	o.own = own;
	return o;
}

/* Own words: the ticket, then the own words of the construction. */
enum { OWN_TICKET, OWN_OURS };

static inline struct object object_for(void *shared, struct process *self)
{
	return object_in(shared, self->shape, self->own + OWN_OURS);
}

static size_t words(const struct shape *shape)
{
	struct object o = object_of(shape);

	return component_at(shape) + below(shape)->words(&o);
}

/* Piece 0 is the GO words of the members; the other pieces are those of the
 * object. */
static bool extent_of(const struct shape *shape, unsigned from, unsigned to,
		      unsigned piece, struct extent *extent)
{
	struct object o = object_of(shape);

	if (piece == 0) {
		*extent = (struct extent){ from * WORDS(struct line),
					   (to - from) * WORDS(struct line) };
		return true;
	}
	if (!below(shape)->extent(&o, from, to, piece - 1, extent))
		return false;
	extent->from += component_at(shape);
	return true;
}

static unsigned own_words(const struct shape *shape)
{
	struct object o = object_of(shape);

	return OWN_OURS + below(shape)->own(&o);
}

/* `argument` is the session for REQUEST and the new k for RESIZE.  Returns
 * false if the words are damaged. */
static inline bool operate(const struct object *o, const struct shape *shape,
			   unsigned name, unsigned deed, uint64_t argument,
			   uint64_t *result)
{
	*result = 0;
	return below(shape)->apply(o, name, ANY_TAG,
				   (uint64_t)name << MEMBER_AT | deed,
				   &argument, result);
}

/* Entering, leaving, giving up, recovering, resizing. */

enum { ROUNDS = 2 };

static void tell(struct word *GO, uint64_t ticket)
{
	uint64_t g;

H2:	g = mem_read(GO);
	if (g < ticket)
H3:		(void)mem_cas(GO, g, ticket);
	/* Wake even if GO has the ticket already: the process that wrote the
	 * ticket may have died before it woke the waiter. */
	mem_wake(GO);
}

/* Tell every member that was called. */
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

/* `place` is the place of self.  Returns true if self is inside or evicted. */
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

/* Try to read our place; other operations may disturb the read.  Returns true
 * if we are inside or evicted. */
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
	uint64_t go, place;

	if (self->evicted)
		return true;
M2:	go = mem_read(GO);
	if (go == mem_own_read(self, OWN_TICKET)) {
		/* Our place does not change any more until we go out. */
		place = below(self->shape)->settled(
			&o, place_at(self->shape, self->id));
		if (!accept(self, place))
			be_evicted(self);
		return true;
	}
	/* The process that called us may have died before it told us. */
	if (wait_slept(wait) && look_up(&o, self)) /* M3 */
		return true;
	wait_for_change(wait, GO, go);
	return false;
}

/* After p's operation OUT has returned `result`: write the ticket of p to
 * GO[p] if p was called, and tell all called members. */
static void end(void *shared, const struct shape *shape, const struct object *o,
		unsigned p, uint64_t result)
{
	if (was_called(result))
		tell(GO_of(shared, p), ticket_of(result));
	if (result & SOMEBODY_CALLED)
		hand_over(shared, shape, o);
}

/* Returns true if the member was inside or waiting. */
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

/* The member withdraws even if it has just been called. */
static void give_up(void *shared, struct process *self)
{
	uint64_t result = 0;

	if (!leave_room(shared, self, &result)) /* M5 */
		be_evicted(self);
}

/*
 * First the recoverer completes the pending operation of the dead member, which
 * otherwise could take effect after M6.  The pending operation may be OUT, made
 * by the member itself or by an earlier recoverer.  In that case only the
 * result of that operation still contains the ticket for GO.
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

/* The resizer has a name of its own.  The previous resizer may have died with
 * an operation pending under that name. */
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

/* Initial state, quiescence, invariant, and functions for observers. */

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
	uint64_t k = 0;

	for (unsigned p = 0; p < shape->n; p++)
		if (session_now(&o, shape, p) != 0 ||
		    place_now(&o, shape, p) != 0)
			return false;
	below(shape)->peek(&o, STATE_K, &k);
	return k == shape->k && below(shape)->quiet(&o);
}

/* Returns whether the place of p is valid and agrees with the places of all
 * members with lower ids. */
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

/* Returns whether the place of p agrees with the whereabouts of p.  If p waits
 * and GO[p] has reached its ticket, p must also have been called. */
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

/* Returns true if the waiter with the smallest ticket conflicts with the
 * session inside, or k members are inside, or no member waits. */
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

/* Bounds.  The doorway consists of one operation, at most ROUNDS times H1, and
 * H2 and H3 once for each other member. */

static unsigned doorway_steps(const struct shape *shape)
{
	struct object o = object_of(shape);

	return below(shape)->apply_steps(&o) +
	       ROUNDS * below(shape)->read_steps(&o, shape->n) +
	       2 * (shape->n - 1);
}

/*
 * Leaving takes the steps of the doorway, and H2 and H3 for the process itself.
 */
static unsigned leave_steps(const struct shape *shape)
{
	return doorway_steps(shape) + 2;
}

/* The bound is two passes, each with M2, M3 and the read of the place, because
 * the process may be in the middle of a pass when it starts to run alone. */
static unsigned solo_steps(const struct shape *shape)
{
	struct object o = object_of(shape);

	return 2 * (1 + ROUNDS * below(shape)->read_steps(&o, 1) +
		    below(shape)->settled_steps);
}

/* Every access counts as remote.  GO[p] is read twice. */
static uint64_t remote(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return (uint64_t)doorway_steps(shape) + leave_steps(shape) + 2 +
	       below(shape)->settled_steps;
}

/* While the waiter is not told, H3 of another process can fail only if that
 * process made H2 before the waiter got its ticket.  So each other member, and
 * the resizer, can fail at most once.  In a cache that is not smart, each
 * failure makes the waiter read GO[p] again. */
static uint64_t remote_cc(const struct shape *shape, unsigned contention)
{
	return remote(shape, contention) + shape->n;
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
		whole->bounds.rmr_cc_smart = x->bounds.rmr_cc_smart;
		whole->bounds.rmr_dsm = x->bounds.rmr_dsm;
	}
}

#endif
