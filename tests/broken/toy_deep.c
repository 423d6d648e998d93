/* SPDX-License-Identifier: BSD-2-Clause */
/* toy-deep: a function that calls itself until the stack is full.  No property
 * refuses this toy: the simulated memory must report the full stack. */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "depth");
}

static uint64_t dig(struct word *word, uint64_t depth)
{
	uint64_t below;

	if (depth == 0)
		return 0;
X1:	mem_write(word, depth);
	below = dig(word, depth - 1);
	return below + mem_read(word);
}

static int enter(void *shared, struct process *self)
{
	(void)self;
	return dig(shared, 1000000) == 1;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_deep = {
	.name = "toy-deep",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = NO_DEADLOCK,
	.primitives = USES_READ_WRITE,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
};
