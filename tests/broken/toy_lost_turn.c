/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-lost-turn: a ticket lock in which a process that gives up does not pass
 * its turn on.  A waiter that has slept takes the turn for itself.
 *
 * Not broken if sleeping waiters nap.  A waiter whose nap may end can look in
 * vain before that, but only once: the word does not change again.
 */
#include "algorithm.h"

struct ticket_lock {
	struct word next, served;
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
	return WORDS(struct ticket_lock);
}

static void init(void *shared, const struct shape *shape)
{
	struct ticket_lock *t = shared;

	(void)shape;
	mem_name(&t->next, "next");
	mem_name(&t->served, "served");
}

static bool doorway(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket;

T1:	ticket = mem_add(&t->next, 1);
	mem_own_write(self, OWN_TICKET, ticket);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct ticket_lock *t = shared;
	uint64_t ticket = mem_own_read(self, OWN_TICKET), served;

	if (wait_slept(wait)) {
T2:		mem_write(&t->served, ticket);
		return true;
	}
T3:	served = mem_read(&t->served);
	if (served == ticket)
		return true;
	wait_for_change(wait, &t->served, served);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;

	(void)self;
T4:	mem_add(&t->served, 1);
	mem_wake(&t->served);
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
