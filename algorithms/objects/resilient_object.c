/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * resilient-object: a counter that n processes use, at most k at a time; k-1
 * crashes do not stop it.
 *
 * Idea      A k-assignment hands out k names.  A process that has a name uses
 *           the wait-free object for k names.  So only the cost of the
 *           k-assignment depends on n.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Section 1; wait_free.h
 * Shape     the shape of the component, n <= 4096, k <= 2047; an object type in
 *           the shape replaces the counter
 * Promises  linearizable; bounded-apply; invariant; unique-slots, at-most-k,
 *           no-starvation, no-wait-below-k, no-lost-wake, prompt-wake,
 *           bounded-leave, exit-termination, bounded-abort and quiescence if
 *           the component promises them; all with recovered deaths, if the
 *           component recovers
 * Costs     the costs of the component; n+1+T+6k+(2k+1)(k+T+2) words, 8k+6T+23
 *           RMRs (T = ceil(k/64))
 * Invariant The invariant of wait-free-object.  In addition, each process has a
 *           word `held` for the name that it holds, and no two of these words
 *           contain the same name.
 */
#include "algorithm.h"

/* The operation is fetch-and-add. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)operation;
	*state += argument;
	return before;
}

#include "names_below.h"
#include "requested.h"
#include "sequential.h"
#include "wait_free_construction.h"

/* Own words: the number of operations that this id has begun; then the own
 * words of the component; then the own words of the construction. */
enum { OWN_COUNT, OWN_PERSISTENT };

/* The words: first the object; then, for each process, the word `held`; then
 * the component.  A recoverer reads `held` of the dead process: it is 0, or it
 * has the number of the process's operation and the name + 1. */
enum { NAME_BITS = 12, NAME = (1 << NAME_BITS) - 1 };
enum { MOST_PROCESSES = 1 << TAG_ID_BITS };

static struct object object_in(void *shared, const struct shape *shape,
			       uint64_t *own)
{
	if (shape->object)
		return object_of_type(shape->object, shape->k, shared, own);
	return object_of(shape->k, shared, own);
}

static struct object object_for(void *shared, const struct process *self)
{
	if (self->request)
		return object_in(shared, self->shape, self->request->scratch);
	return object_in(shared, self->shape,
			 self->own + OWN_PERSISTENT +
				 below_own_words(self->shape));
}

static size_t held_at(const struct shape *shape)
{
	struct object o = object_in(NULL, shape, NULL);

	return wait_free_words(&o);
}

static struct word *held_of(void *shared, const struct shape *shape,
			    unsigned id)
{
	struct word *first = (struct word *)shared + held_at(shape);

	return first + id * WORDS(struct line);
}

static size_t component_at(const struct shape *shape)
{
	return held_at(shape) + shape->n * WORDS(struct line);
}

static struct word *below(void *shared, const struct shape *shape)
{
	return (struct word *)shared + component_at(shape);
}

static size_t words(const struct shape *shape)
{
	return component_at(shape) + below_words(shape);
}

static unsigned scratch(const struct shape *shape)
{
	struct object o = object_in(NULL, shape, NULL);

	return wait_free_own(&o);
}

static unsigned own_words(const struct shape *shape)
{
	return OWN_PERSISTENT + below_own_words(shape) +
	       (shape->object ? 0 : scratch(shape));
}

static unsigned own_persistent(const struct shape *shape)
{
	return OWN_PERSISTENT + below_persistent(shape);
}

static void init(void *shared, const struct shape *shape)
{
	struct object o = object_in(shared, shape, NULL);
	struct shape x = below_shape(shape);

	wait_free_init(&o);
	if (shape->object)
		begin_as_type(&o, shape->object);
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(held_of(shared, shape, p), 0);
		mem_place(held_of(shared, shape, p), p);
		mem_name(held_of(shared, shape, p), "held", p);
	}
	shape->component->init(below(shared, shape), &x);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct object o = object_in(shared, shape, NULL);
	struct shape x = below_shape(shape);

	for (unsigned p = 0; p < shape->n; p++)
		if (mem_peek(held_of(shared, shape, p)) != 0)
			return false;
	return wait_free_quiet(&o) &&
	       (!shape->component->quiet ||
		shape->component->quiet(below(shared, shape), &x));
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct object o = object_in(shared, shape, NULL);

	(void)all;
	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t name = mem_peek(held_of(shared, shape, p)) & NAME;

		for (unsigned q = 0; name && q < p; q++)
			if ((mem_peek(held_of(shared, shape, q)) & NAME) == name)
				return false;
	}
	return is_sound(&o);
}

/* Entering and leaving: the component does the work. */

static int enter(void *shared, struct process *self)
{
	struct below b;

	below_begin(&b, self, OWN_PERSISTENT);
	b.process.slot = b.names->enter(below(shared, self->shape), &b.process);
	below_end(&b, self);
	return self->slot;
}

static bool doorway(void *shared, struct process *self)
{
	struct below b;
	bool in;

	below_begin(&b, self, OWN_PERSISTENT);
	in = b.names->doorway(below(shared, self->shape), &b.process);
	below_end(&b, self);
	return in;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct below b;
	bool in;

	below_begin(&b, self, OWN_PERSISTENT);
	in = b.names->poll(below(shared, self->shape), &b.process, wait);
	below_end(&b, self);
	return in;
}

static void abort_waiting(void *shared, struct process *self)
{
	struct below b;

	below_begin(&b, self, OWN_PERSISTENT);
	b.names->abort(below(shared, self->shape), &b.process);
	below_end(&b, self);
}

static void settle(void *shared, struct process *self)
{
	struct below b;

	below_begin(&b, self, OWN_PERSISTENT);
	b.names->settle(below(shared, self->shape), &b.process);
	below_end(&b, self);
}

static uint64_t apply(void *shared, struct process *self)
{
	struct word *held = held_of(shared, self->shape, self->id);
	struct object o = object_for(shared, self);
	uint64_t count = mem_own_read(self, OWN_COUNT) + 1;
	unsigned name = (unsigned)self->slot;

	mem_own_write(self, OWN_COUNT, count);
	/* An evicted process has no name, so it must not apply an
	 * operation. */
	if (name >= o.names)
		return WITHDRAWN;
H1:	mem_write(held, count << NAME_BITS | (name + 1));
	if (self->request)
		return apply_requested(&o, name, self,
				       tag_of(self->id, count));
	return apply_tagged(&o, name, self, tag_of(self->id, count));
}

/* H2 comes before the process gives its name back, because a recoverer acts
 * under the name that it finds in `held`. */
static int depart(void *shared, struct process *self)
{
	struct below b;
	int result = 0;

	if (self->slot >= 0)
H2:		mem_write(held_of(shared, self->shape, self->id), 0);
	below_begin(&b, self, OWN_PERSISTENT);
	if (b.names->depart)
		result = b.names->depart(below(shared, self->shape), &b.process);
	else
		b.names->leave(below(shared, self->shape), &b.process);
	below_end(&b, self);
	return result;
}

static void leave(void *shared, struct process *self)
{
	(void)depart(shared, self);
}

static bool finish(void *shared, struct process *victim)
{
	struct object o = object_for(shared, victim);
	uint64_t held;

F1:	held = mem_read(held_of(shared, victim->shape, victim->id));
	if (victim->request)
		return finish_requested(&o, (unsigned)(held & NAME) - 1, victim,
					tag_of(victim->id, held >> NAME_BITS));
	return finish_tagged(&o, (unsigned)(held & NAME) - 1, victim,
			     tag_of(victim->id, held >> NAME_BITS));
}

/* H3 comes before the recoverer gives the name back.  The recoverer may die
 * after that; when the next recoverer comes, the name may belong to another
 * process, and `held` must not show it any more. */
static void recover(void *shared, struct process *victim)
{
	struct below b;

H3:	mem_write(held_of(shared, victim->shape, victim->id), 0);
	below_begin(&b, victim, OWN_PERSISTENT);
	b.names->recover(below(shared, victim->shape), &b.process);
}

/* For observers. */

static bool read_state(void *shared, const struct shape *shape,
		       uint64_t *state, bool *again)
{
	struct object o = object_in(shared, shape, NULL);

	return wait_free_read(&o, 0, o.state, state, again);
}

static int holder(void *shared, const struct shape *shape, unsigned slot)
{
	struct shape x = below_shape(shape);

	return shape->component->holder(below(shared, shape), &x, slot);
}

static uint64_t rank(void *shared, const struct shape *shape, unsigned id)
{
	struct shape x = below_shape(shape);

	return shape->component->rank(below(shared, shape), &x, id);
}

/* Bounds. */

static unsigned apply_steps(const struct shape *shape)
{
	struct object o = object_in(NULL, shape, NULL);

	return 1 + wait_free_apply_steps(&o);
}

static unsigned finish_steps(const struct shape *shape)
{
	struct object o = object_in(NULL, shape, NULL);

	return 1 + wait_free_recover_steps(&o);
}

static unsigned leave_steps(const struct shape *shape)
{
	struct shape x = below_shape(shape);

	return 1 + shape->component->bounds.leave_steps(&x);
}

static unsigned abort_steps(const struct shape *shape)
{
	struct shape x = below_shape(shape);

	return shape->component->bounds.abort_steps(&x);
}

/* Every access counts as remote. */
static uint64_t outside(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return apply_steps(shape) + 1;
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	struct shape x = below_shape(shape);

	return outside(shape, contention) +
	       shape->component->bounds.rmr_cc.most(&x, contention);
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	struct shape x = below_shape(shape);

	return outside(shape, contention) +
	       shape->component->bounds.rmr_dsm.most(&x, contention);
}

static bool fits(const struct algorithm *component)
{
	return component->kind == KIND_K_ASSIGNMENT;
}

static const char ADDED[] = "8k+6T+23 for the object";

/* Returns the smaller of the two limits, where limit 0 means no limit. */
static unsigned least(unsigned limit, unsigned most)
{
	return limit && limit < most ? limit : most;
}

static void compose(struct algorithm *whole)
{
	const struct algorithm *x = whole->composition.component;

	whole->promises |= x->promises &
			   (AT_MOST_K | UNIQUE_SLOTS | NO_DEADLOCK |
			    NO_STARVATION | NO_WAIT_BELOW_K | NO_LOST_WAKE |
			    PROMPT_WAKE | BOUNDED_LEAVE | EXIT_TERMINATION |
			    BOUNDED_ABORT | QUIESCENCE);
	whole->primitives |= x->primitives;
	whole->simulated_only = x->simulated_only;
	whole->tolerates_crashes = x->tolerates_crashes;
	whole->retries = x->retries;
	whole->naps = x->naps;
	whole->limits.least_n = x->limits.least_n;
	whole->limits.most_n = least(x->limits.most_n, MOST_PROCESSES);
	whole->limits.least_k = x->limits.least_k ? x->limits.least_k : 1;
	whole->limits.most_k = least(x->limits.most_k, MOST_NAMES);
	whole->enter = x->enter ? enter : NULL;
	whole->doorway = x->doorway ? doorway : NULL;
	whole->poll = x->poll ? poll : NULL;
	whole->abort = x->abort ? abort_waiting : NULL;
	whole->settle = x->settle ? settle : NULL;
	whole->depart = x->depart ? depart : NULL;
	whole->holder = x->holder ? holder : NULL;
	whole->rank = x->rank ? rank : NULL;
	whole->object.finish = x->recover ? finish : NULL;
	whole->recover = x->recover ? recover : NULL;
	whole->bounds.leave_steps = x->bounds.leave_steps ? leave_steps : NULL;
	whole->bounds.abort_steps = x->bounds.abort_steps ? abort_steps : NULL;
	whole->bounds.rmr_cc.most = x->bounds.rmr_cc.most ? rmr_cc : NULL;
	whole->bounds.rmr_dsm.most = x->bounds.rmr_dsm.most ? rmr_dsm : NULL;
}

const struct algorithm resilient_object = {
	.name = "resilient-object",
	.source = "after Anderson and Moir 1994",
	.kind = KIND_OBJECT,
	.promises = BOUNDED_APPLY | LINEARIZABLE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.invariant = invariant, .leave = leave,
	.object = {
		.apply = apply, .specification = specification, .operations = 1,
		.construction = &wait_free_construction, .scratch = scratch,
		.read = read_state,
	},
	.bounds = {
		.apply_steps = apply_steps, .finish_steps = finish_steps,
		.rmr_cc = { NULL, ADDED },
		.rmr_dsm = { NULL, ADDED },
	},
	.composition = {
		.default_component = "roster", .fits = fits, .compose = compose,
		.at = component_at,
		.outside_cc = { outside, ADDED },
		.outside_dsm = { outside, ADDED },
	},
};
