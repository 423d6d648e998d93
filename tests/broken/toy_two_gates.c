/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-two-gates: the first process is inside at once; the others wait at a gate
 * and then at a second gate, both times in `enter` and by an await_any.  A
 * leaver opens the first gate and does not wake the processes that sleep at it.
 *
 * The second gate never opens.  So a process that sleeps at the first gate would
 * soon sleep again; but its first wait would be over, so it must be woken.
 *
 * Refused by prompt-wake (two processes); at-most-k holds.
 */
#include "algorithm.h"

struct gates {
	struct word next, first, second;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct gates);
}

static void init(void *shared, const struct shape *shape)
{
	struct gates *g = shared;

	(void)shape;
	mem_name(&g->next, "next");
	mem_name(&g->first, "first");
	mem_name(&g->second, "second");
}

static int enter(void *shared, struct process *self)
{
	struct gates *g = shared;

	(void)self;
G1:	if (mem_add(&g->next, 1) == 0)
		return 0;
	await_any(pass) {
G2:		if (look(pass, &g->first) != 0)
			break;
	}
	await_any(pass) {
G3:		if (look(pass, &g->second) != 0)
			break;
	}
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct gates *g = shared;

	(void)self;
G4:	mem_write(&g->first, 1);
}

const struct algorithm toy_two_gates = {
	.name = "toy-two-gates",
	.source = "toy", .kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | PROMPT_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
};
