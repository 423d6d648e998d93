/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The common part of toys that are ticket locks.  A process draws a ticket from
 * `next`, waits until `served` has reached this ticket, and adds 1 to `served`
 * when it leaves.
 */
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

static void draw_ticket(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket;

DRAW:	ticket = mem_add(&t->next, 1);
	mem_own_write(self, OWN_TICKET, ticket);
}

static void leave(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;

	(void)self;
SERVE:	mem_add(&t->served, 1);
	mem_wake(&t->served);
}
