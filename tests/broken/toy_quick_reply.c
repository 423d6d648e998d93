/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-quick-reply: an object whose operations make no step.  Process 0 makes
 * one step to get in and one to leave; process 1 makes one step to get in and
 * none to leave.  Process 2 gets in when it has read the same value twice.
 *
 * Not broken: process 2 may starve, but only while processes 0 and 1 make
 * passages.  The checker never sees process 0 or 1 inside, because neither
 * makes a step between getting in and leaving.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "value");
}

static int enter(void *shared, struct process *self)
{
	struct word *value = shared;
	uint64_t v, again;

	if (self->id < 2) {
Q1:		mem_write(value, self->operation);
		return 0;
	}
	do {
Q2:		v = mem_read(value);
Q3:		again = mem_read(value);
	} while (v != again);
	return 0;
}

static uint64_t apply(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return 0;
}

static void leave(void *shared, struct process *self)
{
	if (self->id == 0)
Q4:		(void)mem_read((struct word *)shared);
}

static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	(void)state;
	(void)operation;
	(void)argument;
	return 0;
}

const struct algorithm toy_quick_reply = {
	.name = "toy-quick-reply",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | LINEARIZABLE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.limits = { .least_n = 3, .most_n = 3 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.object = {
		.apply = apply, .specification = specification, .operations = 2,
	},
};
