/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-locked-counter: a counter behind a ticket lock.
 *
 * Refused by bounded-apply, because a process is blocked in its operation;
 * linearizable and no-starvation hold.
 */
#include "algorithm.h"

struct locked {
	struct word next, served, count;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct locked);
}

static void init(void *shared, const struct shape *shape)
{
	struct locked *l = shared;

	(void)shape;
	mem_name(&l->next, "next");
	mem_name(&l->served, "served");
	mem_name(&l->count, "count");
}

static uint64_t apply(void *shared, struct process *self)
{
	struct locked *l = shared;
	uint64_t ticket, served, count;

	(void)self;
A1:	ticket = mem_add(&l->next, 1);
A2:	await(served, &l->served, served == ticket);
A3:	count = mem_read(&l->count);
A4:	mem_write(&l->count, count + 1);
A5:	mem_add(&l->served, 1);
	mem_wake(&l->served);
	return count;
}

static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	(void)operation;
	(void)argument;
	return (*state)++;
}

const struct algorithm toy_locked_counter = {
	.name = "toy-locked-counter",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | NO_STARVATION | NO_LOST_WAKE | LINEARIZABLE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_n = 4 },
	.words = words, .init = init,
	.object = {
		.apply = apply, .specification = specification, .operations = 1,
	},
};
