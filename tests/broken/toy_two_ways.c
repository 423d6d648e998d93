/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-two-ways: two schedules lead to the same state, in which processes 0 and
 * 2 are inside and process 1 has been overtaken by process 0.  In this state
 * process 1 needs four steps to enter, but the table says three.  In the first
 * schedule process 0 enters last, and fife refuses this transition.  In the
 * second schedule process 2 enters last, and overtakes no process.
 *
 * Refused by fife.
 */
#include "algorithm.h"

struct two_ways {
	struct word flag;   /* 1: process 1 is past its doorway */
	struct word inside; /* number of processes inside that count */
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct two_ways);
}

static void init(void *shared, const struct shape *shape)
{
	struct two_ways *t = shared;

	(void)shape;
	mem_name(&t->flag, "flag");
	mem_name(&t->inside, "inside");
}

/* Makes one read for each process inside, and then enters. */
static void enter_slowly(struct two_ways *t, struct process *self)
{
	uint64_t inside;

W1:	mem_write(&t->flag, 1);
	doorway_ends(self);
W2:	inside = mem_read(&t->inside);
	for (; inside > 0; inside--)
W3:		(void)mem_read(&t->inside);
W4:	mem_add(&t->inside, 1);
}

/* Returns 1 if the process counts as inside. */
static int enter(void *shared, struct process *self)
{
	struct two_ways *t = shared;
	uint64_t flag;

	if (self->id == 1) {
		enter_slowly(t, self);
		return 1;
	}
	if (self->id == 2) {
		/* If process 2 overtakes process 1, it does not count. */
W5:		flag = mem_read(&t->flag);
		if (flag)
			return 0;
	}
W6:	mem_add(&t->inside, 1);
	return 1;
}

static void leave(void *shared, struct process *self)
{
	struct two_ways *t = shared;

	if (self->slot)
W7:		mem_add(&t->inside, (uint64_t)-1);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static unsigned three_steps(const struct shape *shape)
{
	(void)shape;
	return 3;
}

const struct algorithm toy_two_ways = {
	.name = "toy-two-ways",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_n = 3 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .doorway_steps = one_step, .solo_steps = three_steps },
};
