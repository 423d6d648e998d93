/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic-object: a counter whose operation takes effect in one large step.  It
 * is the reference with which real objects are compared.
 *
 * Idea      The object is linearizable by definition.  There is one step before
 *           the large step and one after it, so that a process can die before
 *           and after its operation takes effect.
 * Source    the specification itself; labels ours
 * Shape     any n
 * Promises  linearizable; bounded-apply; no-starvation with n-1 crashes;
 *           invariant; all with recovered deaths
 * Costs     2n+2 words, two reads and one large step, which no machine has
 * Invariant The two words of the state agree: no process sees half an
 *           operation.
 */
#include "algorithm.h"
#include "atomic.h"

/* Own words: the number of operations that this id has begun; then the own
 * words of the construction. */
enum { OWN_COUNT, OWN_PERSISTENT };

/* The operation is fetch-and-add. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)operation;
	*state += argument;
	return before;
}

/* The state v is stored as (v, 2v). */
static void f(void *context, uint64_t *state, uint64_t operation,
	      const uint64_t *argument, uint64_t *result)
{
	(void)context;
	result[0] = specification(state, operation - 1, argument[0]);
	state[1] = 2 * state[0];
}

static struct object by_id(void *shared, const struct shape *shape,
			   uint64_t *own)
{
	return (struct object){
		.names = shape->n,
		.state = 2,
		.arguments = 1,
		.results = 1,
		.f = f,
		.words = shared,
		.own = own,
	};
}

static size_t words(const struct shape *shape)
{
	struct object o = by_id(NULL, shape, NULL);

	return large_words(&o);
}

static unsigned own_words(const struct shape *shape)
{
	struct object o = by_id(NULL, shape, NULL);

	return OWN_PERSISTENT + large_own(&o);
}

static unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PERSISTENT;
}

static void init(void *shared, const struct shape *shape)
{
	struct object o = by_id(shared, shape, NULL);

	large_init(&o);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct word *state = shared;

	(void)shape;
	(void)all;
	return mem_peek(state + 1) == 2 * mem_peek(state);
}

/* The tag of an operation is its number among the operations of this id. */
static uint64_t apply(void *shared, struct process *self)
{
	struct object o = by_id(shared, self->shape,
				self->own + OWN_PERSISTENT);
	uint64_t count, result;

A1:	count = mem_read(tag_of_name(&o, self->id)) + 1;
	mem_own_write(self, OWN_COUNT, count);
	large_apply(&o, self->id, count, self->operation + 1, &self->argument,
		     &result);
	return result;
}

static bool finish(void *shared, struct process *victim)
{
	struct object o = by_id(shared, victim->shape,
				victim->own + OWN_PERSISTENT);
	uint64_t tag, result;

	large_recover(&o, victim->id, &tag, &result);
	if (tag != mem_own_read(victim, OWN_COUNT))
		return false;
	victim->argument = result;
	return true;
}

static void recover(void *shared, struct process *victim)
{
	(void)shared;
	(void)victim;
}

static unsigned three_steps(const struct shape *shape)
{
	(void)shape;
	return 3;
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm atomic_object = {
	.name = "atomic-object",
	.source = "specification",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | NO_STARVATION | BOUNDED_APPLY | LINEARIZABLE |
		    INVARIANT,
	.primitives = USES_LARGE_STEP,
	.simulated_only = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1 },
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .invariant = invariant,
	.recover = recover,
	.object = {
		.apply = apply, .finish = finish,
		.specification = specification, .operations = 1,
		.construction = &atomic_construction,
	},
	.bounds = {
		.apply_steps = three_steps, .finish_steps = two_steps,
		.rmr_cc = { NULL, "not a real cost: large steps" },
		.rmr_dsm = { NULL, "not a real cost: large steps" },
	},
};
