/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-stubborn-abort: a process that gives up still waits for its turn.
 *
 * Refused by bounded-abort; at-most-k, fcfs and bounded-leave hold.
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
	uint64_t served;

S1:	served = mem_read(&t->served);
	if (served == mem_own_read(self, OWN_TICKET))
		return true;
	wait_for_change(wait, &t->served, served);
	return false;
}

static void give_up(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t served;

S2:	await(served, &t->served, served == mem_own_read(self, OWN_TICKET));
	leave(shared, self);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_stubborn_abort = {
	.name = "toy-stubborn-abort",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | BOUNDED_LEAVE |
		    NO_LOST_WAKE,
	.primitives = USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.bounds = { .leave_steps = two_steps, .abort_steps = two_steps },
};
