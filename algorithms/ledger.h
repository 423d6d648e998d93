/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the code that ledger and ledger-room share: the words of the store,
 * arriving, claiming a slot, leaving, and setting k.  The two algorithms solve
 * different problems, so they are in different folders.  They differ in the
 * number of slots and in the conditions for entering: the .c file of each
 * algorithm defines the four functions that are declared first.
 *
 * A transaction may be made although its answer is lost, and the memory then
 * sends it again.  Late requests may be made at any time.  So each transaction
 * is guarded by a word that it writes (L2 by the process's member, C2 by its
 * ticket): it is made at most once.  A process looks for words of its own to
 * learn what was made; it does not rely on the number of the alternative.
 */
#ifndef ATMOST_LEDGER_H
#define ATMOST_LEDGER_H

#include "algorithm.h"

/* Returns the number of slots that have a word. */
static unsigned slots_of(const struct shape *shape);

/* Returns the number of slots that the pool's value opens. */
static unsigned open_slots(const struct shape *shape, uint64_t pool);

/* Makes one transaction, at L2: takes a slot if the process need not wait, and
 * a ticket otherwise. */
static int ask(void *shared, struct process *self);

/* Returns whether the process, which has seen its ticket, may claim a slot if
 * there are more free slots than *before, the number of tickets before its
 * own. */
static bool may_claim(void *shared, const struct process *self,
		      unsigned *before);

/* The value of the pool's word as last seen, plus 1; 0: not seen yet.  It lasts
 * from passage to passage, so an arriving process need not look first. */
enum { OWN_POOL, OWN_WORDS };

static inline unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static inline size_t words(const struct shape *shape)
{
	return store_at(STORE_RANGES, slots_of(shape), shape->n);
}

static inline struct word *first_of(void *shared, const struct shape *shape,
				    enum store_range range)
{
	return (struct word *)shared +
	       store_at(range, slots_of(shape), shape->n);
}

static inline struct word *slot_at(void *shared, const struct shape *shape,
				   unsigned i)
{
	return first_of(shared, shape, STORE_SLOT) + i;
}

static inline struct word *member_of(void *shared, const struct shape *shape,
				     unsigned p)
{
	return first_of(shared, shape, STORE_MEMBER) + p;
}

static inline struct word *ticket_of(void *shared, const struct shape *shape,
				     unsigned p)
{
	return first_of(shared, shape, STORE_WAITER) + p;
}

static inline void init(void *shared, const struct shape *shape)
{
	mem_name(shared, "pool");
	mem_found(first_of(shared, shape, STORE_POOL),
		  store_pool(shape->k, false));
	for (unsigned i = 0; i < slots_of(shape); i++)
		mem_name(slot_at(shared, shape, i), "slot", i);
	for (unsigned p = 0; p < shape->n; p++) {
		mem_name(member_of(shared, shape, p), "member", p);
		mem_name(ticket_of(shared, shape, p), "ticket", p);
	}
}

static inline uint64_t expected_pool(const struct process *self)
{
	uint64_t seen = mem_own_read(self, OWN_POOL);

	return seen ? seen - 1 : store_pool(self->shape->k, false);
}

/* Returns whether the process saw a slot of its own; sets slot and token. */
static inline bool saw_slot(void *shared, struct process *self)
{
	for (unsigned i = 0; i < slots_of(self->shape); i++) {
		struct word *slot = slot_at(shared, self->shape, i);

		if (mem_seen_mine(self, slot)) {
			self->slot = (int)i;
			self->token = mem_seen(self, slot);
			return true;
		}
	}
	return false;
}

static inline void guard_arrival(struct transaction *t, void *shared,
				 const struct process *self)
{
	mem_if_absent(t, member_of(shared, self->shape, self->id));
	mem_if_all(t, first_of(shared, self->shape, STORE_POOL), 1,
		   expected_pool(self));
}

/*
 * Arrive: returns true if the process has a slot, and false if it has a ticket.
 * If the pool's value is not the expected one, the process expects the value
 * that it has seen, and asks again.  If its lease ended, the process begins
 * again with a new lease, because an answer that came after the end of the
 * lease says nothing about the present.
 */
static inline bool doorway(void *shared, struct process *self)
{
	bool inside, waits;
	int r;

L1:	mem_lease(self);
	for (;;) {
		r = ask(shared, self);
		if (r == MEM_LAPSED) {
			mem_unsee(self);
L1b:			mem_lease(self);
			continue;
		}
		inside = saw_slot(shared, self);
		waits = mem_seen_mine(self, ticket_of(shared, self->shape,
						      self->id));
		if (!inside && !waits)
			mem_own_write(self, OWN_POOL, 1 +
				mem_seen_value(self, first_of(shared,
						self->shape, STORE_POOL)));
		mem_unsee(self);
		if (inside || waits)
			return inside;
	}
}

/* Returns the slot that the process may claim, or -1 if it must wait. */
static inline int slot_to_claim(void *shared, const struct process *self)
{
	unsigned before;
	unsigned open = open_slots(self->shape,
		mem_seen_value(self, first_of(shared, self->shape,
					      STORE_POOL)));

	if (!may_claim(shared, self, &before))
		return -1;
	for (unsigned i = 0; i < open; i++)
		if (!mem_seen(self, slot_at(shared, self->shape, i)) &&
		    before-- == 0)
			return (int)i;
	return -1;
}

/* In a pool without groups the session of a process is 0. */
static inline int claim(void *shared, struct process *self, unsigned i)
{
	struct word *ticket = ticket_of(shared, self->shape, self->id);
	struct word *slot = slot_at(shared, self->shape, i);
	struct word *pool = first_of(shared, self->shape, STORE_POOL);
	struct transaction t = mem_begin();

	mem_if_stamp(&t, ticket, mem_seen(self, ticket));
	mem_if_absent(&t, slot);
	mem_if_stamp(&t, pool, mem_seen(self, pool));
	mem_drop(&t, ticket);
	mem_put(&t, slot, self->session);
	mem_unsee(self);
C2:	return mem_commit(self, &t);
}

static inline bool poll(void *shared, struct process *self,
			struct wait_set *wait)
{
	bool inside;
	int r, i;

	(void)wait;
C1:	r = mem_survey(self);
	/* An earlier claim may have been made late: then there is a slot. */
	inside = r != MEM_LAPSED && saw_slot(shared, self);
	if (r != MEM_LAPSED && !inside) {
		i = slot_to_claim(shared, self);
		if (i >= 0) {
			r = claim(shared, self, (unsigned)i);
			inside = r != MEM_LAPSED && saw_slot(shared, self);
		}
	}
	mem_unsee(self);
	/* With its lease the process has lost its ticket, and so its place in
	 * the order. */
	if (r == MEM_LAPSED)
		return doorway(shared, self);
	return inside;
}

static inline void leave(void *shared, struct process *self)
{
	(void)shared;
L3:	mem_revoke(self);
}

static inline void give_up(void *shared, struct process *self)
{
	(void)shared;
A1:	mem_revoke(self);
}

/* The lease of the dead process ends. */
static inline void recover(void *shared, struct process *victim)
{
	(void)shared;
V1:	mem_revoke(victim);
}

static inline void set_limit(void *shared, struct process *self, unsigned k)
{
	struct word *pool = first_of(shared, self->shape, STORE_POOL);
	int r = MEM_NONE;

	while (r == MEM_NONE) {
		struct transaction t = mem_begin();
		uint64_t now;

Z1:		(void)mem_survey(self);
		now = mem_seen_value(self, pool);
		mem_if_stamp(&t, pool, mem_seen(self, pool));
		mem_set(&t, pool, k ? store_pool(k, false)
				    : store_pool(store_pool_k(now), true));
		mem_unsee(self);
Z2:		r = mem_commit(self, &t);
		mem_unsee(self);
	}
}

static inline bool only_pool_is_present(void *shared, const struct shape *shape)
{
	for (size_t i = 1; i < words(shape); i++)
		if (mem_peek_stamp((struct word *)shared + i))
			return false;
	return true;
}

/* No process has two slots, or a slot and a ticket; a process inside, whose
 * lease lasts, has the slot that it says. */
static inline bool owners_are_right(void *shared, const struct shape *shape,
				    const struct whereabouts *all)
{
	for (unsigned p = 0; p < shape->n; p++) {
		unsigned has = mem_peek_stamp(ticket_of(shared, shape, p)) != 0;
		int slot = -1;

		for (unsigned i = 0; i < slots_of(shape); i++) {
			if (mem_peek_stamp(slot_at(shared, shape, i)) &&
			    mem_peek_owner(slot_at(shared, shape, i)) ==
				    (int)p) {
				slot = (int)i;
				has++;
			}
		}
		if (has > 1)
			return false;
		if (all[p].phase == PHASE_INSIDE &&
		    mem_peek_stamp(member_of(shared, shape, p)) &&
		    all[p].slot != slot)
			return false;
	}
	return true;
}

static inline unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

/* L1, L2 and the answer. */
static inline unsigned three_steps(const struct shape *shape)
{
	(void)shape;
	return 3;
}

/* Counts C2 and its answer, then C1, C2 and the answer: an overtaken waiter may
 * be about to claim a slot that another process has taken. */
static inline unsigned five_steps(const struct shape *shape)
{
	(void)shape;
	return 5;
}

#endif
