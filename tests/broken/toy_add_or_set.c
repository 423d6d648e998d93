/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-add-or-set: an object with the operations add and set.  If a process dies
 * before its operation takes effect, no word shows which operation it had
 * begun.
 *
 * Not broken.  Only the checker's history knows which operation the dead
 * process had begun.  As long as the value is 0, both operations would have the
 * same effect and the same result.
 */
#include "algorithm.h"

struct add_or_set {
	struct word value;
	struct word done[]; /* 1 + the result of the operation, or 0 */
};

static size_t words(const struct shape *shape)
{
	return WORDS(struct add_or_set) + shape->n;
}

static void init(void *shared, const struct shape *shape)
{
	struct add_or_set *x = shared;

	mem_name(&x->value, "value");
	for (unsigned p = 0; p < shape->n; p++)
		mem_name(&x->done[p], "done", p);
}

/* Operation 0 adds the argument, operation 1 sets the value to it. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	*state = operation == 0 ? before + argument : argument;
	return before;
}

static uint64_t take_effect(void *shared, struct process *self)
{
	struct add_or_set *x = shared;
	uint64_t value = mem_peek(&x->value), result;

	result = specification(&value, self->operation, self->argument);
	mem_poke(&x->value, value);
	mem_poke(&x->done[self->id], result + 1);
	return result;
}

static uint64_t apply(void *shared, struct process *self)
{
	struct add_or_set *x = shared;
	uint64_t result;

A1:	mem_write(&x->done[self->id], 0);
A2:	result = mem_atomic(take_effect, shared, self);
	return result;
}

static bool finish(void *shared, struct process *victim)
{
	struct add_or_set *x = shared;
	uint64_t done;

A3:	done = mem_read(&x->done[victim->id]);
	victim->argument = done ? done - 1 : 0;
	return done != 0;
}

static void recover(void *shared, struct process *victim)
{
	(void)shared;
	(void)victim;
}

const struct algorithm toy_add_or_set = {
	.name = "toy-add-or-set",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | NO_STARVATION | LINEARIZABLE,
	.primitives = USES_READ_WRITE | USES_LARGE_STEP,
	.simulated_only = true,
	.limits = { .most_n = 4 },
	.words = words, .init = init, .recover = recover,
	.object = {
		.apply = apply, .finish = finish,
		.specification = specification, .operations = 2,
	},
};
