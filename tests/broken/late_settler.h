/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every process is admitted at once and waits for its turn in `settle`.  After
 * the wait it makes one more step before it is inside.
 *
 * Before a file includes this header, it defines the following function, which
 * waits until `served` has the value `ticket`:
 *
 *	static void wait_for_turn(struct word *served, uint64_t ticket)
 */
#include "ticket_lock.h"

static bool doorway(void *shared, struct process *self)
{
	draw_ticket(shared, self);
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
	struct ticket_lock *t = shared;

	wait_for_turn(&t->served, mem_own_read(self, OWN_TICKET));
S2:	(void)mem_read(&t->served);
}

#define LATE_SETTLER                                                      \
	.source = "toy", .kind = KIND_MUTUAL_EXCLUSION,                   \
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION |             \
		    BOUNDED_LEAVE | NO_LOST_WAKE,                         \
	.primitives = USES_READ_WRITE | USES_ADD,                         \
	.limits = { .most_k = 1 },                                        \
	.words = words, .own_words = own_words, .init = init,             \
	.doorway = doorway, .poll = poll, .settle = settle, .leave = leave
