/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic-object: a counter whose operation takes effect in one large step: the
 * reference.
 *
 * Idea      What linearizable means, done.  A step before and one after it are
 *           there to die between.
 * Source    the specification itself; labels ours
 * Shape     any n
 * Promises  linearizable; bounded-apply; no-starvation with n-1 crashes;
 *           invariant; all with recovered deaths
 * Costs     2n+2 words, two reads and one large step, which no machine has
 * Invariant The two words of the state agree: nobody sees half an operation.
 */
#include "algorithm.h"

/* The state v as (v, 2v); and of each process how many operations it has done,
 * and what the last one returned. */
struct done {
	struct word count;
	struct word result;
};

struct atomic_object {
	struct word state[2];
	struct done done[];
};

/* Own word: the number of the operation that this id has begun. */
enum { OWN_COUNT, OWN_WORDS };

/* Fetch and add. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)operation;
	*state += argument;
	return before;
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct atomic_object) + shape->n * WORDS(struct done);
}

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static void init(void *shared, const struct shape *shape)
{
	struct atomic_object *o = shared;

	for (unsigned w = 0; w < 2; w++)
		mem_name(&o->state[w], "state", w);
	for (unsigned p = 0; p < shape->n; p++) {
		mem_name(&o->done[p].count, "count", p);
		mem_name(&o->done[p].result, "result", p);
	}
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct atomic_object *o = shared;

	(void)shape;
	(void)all;
	return mem_peek(&o->state[1]) == 2 * mem_peek(&o->state[0]);
}

static uint64_t operate(void *shared, struct process *self)
{
	struct atomic_object *o = shared;
	uint64_t v = mem_peek(&o->state[0]);
	uint64_t result = specification(&v, self->operation, self->argument);

	mem_poke(&o->state[0], v);
	mem_poke(&o->state[1], 2 * v);
	mem_poke(&o->done[self->id].count, mem_own_read(self, OWN_COUNT));
	mem_poke(&o->done[self->id].result, result);
	return 0;
}

static uint64_t apply(void *shared, struct process *self)
{
	struct atomic_object *o = shared;
	uint64_t count, result;

A1:	count = mem_read(&o->done[self->id].count);
	mem_own_write(self, OWN_COUNT, count + 1);
A2:	mem_atomic(operate, shared, self);
A3:	result = mem_read(&o->done[self->id].result);
	return result;
}

static bool finish(void *shared, struct process *victim)
{
	struct atomic_object *o = shared;
	uint64_t count, result;

F1:	count = mem_read(&o->done[victim->id].count);
	if (count != mem_own_read(victim, OWN_COUNT))
		return false;
F2:	result = mem_read(&o->done[victim->id].result);
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
	.least_n = 1,
	.words = words, .own_words = own_words, .own_persistent = own_words,
	.init = init, .invariant = invariant,
	.apply = apply, .finish = finish, .recover = recover,
	.specification = specification, .operations = 1,
	.apply_steps = three_steps, .finish_steps = two_steps,
	.rmr_cc = { NULL, "not a real cost: large steps" },
	.rmr_dsm = { NULL, "not a real cost: large steps" },
};
