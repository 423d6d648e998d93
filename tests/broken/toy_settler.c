/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-settler: every process is admitted at once and then waits for its turn in
 * `settle`, where it cannot give up.
 *
 * Not broken: all its promises hold.
 */
#include "algorithm.h"
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

	await_any(pass) {
S1:		if (look(pass, &t->served) == mem_own_read(self, OWN_TICKET))
			break;
	}
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
