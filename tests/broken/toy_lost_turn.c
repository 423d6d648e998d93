/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-lost-turn: a ticket lock in which a process that gives up does not pass
 * its turn on.  A waiter that has slept takes the turn for itself.
 *
 * Not broken if sleeping waiters nap.  A waiter whose nap may end can look in
 * vain before that, but only once: the word does not change again.
 */
#include "algorithm.h"
#include "ticket_lock.h"

static bool doorway(void *shared, struct process *self)
{
	draw_ticket(shared, self);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct ticket_lock *t = shared;
	uint64_t ticket = mem_own_read(self, OWN_TICKET), served;

	if (wait_slept(wait)) {
T1:		mem_write(&t->served, ticket);
		return true;
	}
T2:	served = mem_read(&t->served);
	if (served == ticket)
		return true;
	wait_for_change(wait, &t->served, served);
	return false;
}

static void give_up(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_lost_turn = {
	.name = "toy-lost-turn",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_k = 1 },
	.retries = true,
	.naps = true,
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
};
