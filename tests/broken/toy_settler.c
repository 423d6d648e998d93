/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-settler: every process is admitted at once and then waits for its turn in
 * `settle`, where it cannot give up.
 *
 * Not broken: all its promises hold.
 */
#include "algorithm.h"

struct settler {
	struct word next, turn;
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
	return WORDS(struct settler);
}

static void init(void *shared, const struct shape *shape)
{
	struct settler *s = shared;

	(void)shape;
	mem_name(&s->next, "next");
	mem_name(&s->turn, "turn");
}

static bool doorway(void *shared, struct process *self)
{
	struct settler *s = shared;
	uint64_t ticket;

S1:	ticket = mem_add(&s->next, 1);
	mem_own_write(self, OWN_TICKET, ticket);
	return true;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	(void)shared;
	(void)self;
	(void)wait;
	return true;
}

static void settle(void *shared, struct process *self)
{
	struct settler *s = shared;

	await_any(pass) {
S2:		if (look(pass, &s->turn) == mem_own_read(self, OWN_TICKET))
			break;
	}
}

static void leave(void *shared, struct process *self)
{
	struct settler *s = shared;

	(void)self;
S3:	mem_add(&s->turn, 1);
	mem_wake(&s->turn);
}

static void give_up(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_settler = {
	.name = "toy-settler",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .settle = settle, .leave = leave,
	.abort = give_up,
};
