/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-silent-gate: the first process is inside at once; the others wait at a
 * gate, and then wait once more in `settle`, by an await_any.  A leaver opens
 * the gate and does not wake the processes that sleep at it.
 *
 * The wait in `settle` never ends.  So a process that sleeps at the gate would
 * soon sleep again; but its poll would succeed, so it must be woken.
 *
 * Refused by prompt-wake (two processes); at-most-k holds.
 */
#include "algorithm.h"

struct gate {
	struct word next, open, never;
};

enum { OWN_TICKET, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct gate);
}

static void init(void *shared, const struct shape *shape)
{
	struct gate *g = shared;

	(void)shape;
	mem_name(&g->next, "next");
	mem_name(&g->open, "open");
	mem_name(&g->never, "never");
}

static bool doorway(void *shared, struct process *self)
{
	struct gate *g = shared;
	uint64_t ticket;

G1:	ticket = mem_add(&g->next, 1);
	mem_own_write(self, OWN_TICKET, ticket);
	return ticket == 0;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct gate *g = shared;

	(void)self;
G2:	if (mem_read(&g->open) != 0)
		return true;
	wait_for_change(wait, &g->open, 0);
	return false;
}

static void settle(void *shared, struct process *self)
{
	struct gate *g = shared;

	if (mem_own_read(self, OWN_TICKET) == 0)
		return;
	await_any(pass) {
G3:		if (look(pass, &g->never) != 0)
			break;
	}
}

static void leave(void *shared, struct process *self)
{
	struct gate *g = shared;

	(void)self;
G4:	mem_write(&g->open, 1);
}

const struct algorithm toy_silent_gate = {
	.name = "toy-silent-gate",
	.source = "toy", .kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | PROMPT_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .settle = settle, .leave = leave,
};
