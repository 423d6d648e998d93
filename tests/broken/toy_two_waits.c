/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-two-waits: process 0 waits on one word and then on another; process 1
 * writes both words and wakes only the sleepers on the first.
 *
 * Refused by no-lost-wake: a wake-up for the word of the first wait does not
 * help a process that sleeps in the second wait.  no-deadlock holds because
 * sleepers nap.
 */
#include "algorithm.h"

struct two_waits {
	struct word first, second, begun;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct two_waits);
}

static void init(void *shared, const struct shape *shape)
{
	struct two_waits *t = shared;

	(void)shape;
	mem_name(&t->first, "first");
	mem_name(&t->second, "second");
	mem_name(&t->begun, "begun");
}

static void wait_twice(struct two_waits *t)
{
	uint64_t v;

	await_any(pass) {
I2:		v = look(pass, &t->first);
		if (v != 9)
			break;
	}
	await_any(pass) {
I3:		v = look(pass, &t->second);
		if (v == 1)
			break;
	}
}

static int enter(void *shared, struct process *self)
{
	struct two_waits *t = shared;
	uint64_t begun;

	if (self->id == 0) {
I1:		begun = mem_read(&t->begun);
		if (begun)
			wait_twice(t);
		return 0;
	}
I4:	mem_write(&t->begun, 1);
I5:	mem_write(&t->second, 1);
I6:	mem_write(&t->first, 5);
	mem_wake(&t->first);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_two_waits = {
	.name = "toy-two-waits",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = NO_DEADLOCK,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.limits = { .least_n = 2, .most_n = 2 },
	.words = words, .init = init, .enter = enter, .leave = leave,
};
