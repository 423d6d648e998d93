/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ledger-room: group exclusion in order of arrival, over a store.  Waiters can
 * give up, the limit k on the holders can change, and a pool can be paused.
 *
 * Idea      As ledger: tickets, slots and leases are words of a store, and a
 *           process arrives or claims a slot by one transaction.  The words of
 *           slots and tickets hold sessions.  An arriving process takes a slot
 *           if no process waits and all holders have its session.  A waiter
 *           claims a slot if all holders, and all tickets before its own, have
 *           its session, and there are more free slots than tickets before its
 *           own.
 * Source    ours; labels ours
 * Shape     any n, any sessions, k <= 10000 or no limit; k can be resized
 * Promises  session-exclusion; at-most-k; unique-slots; no-deadlock;
 *           no-starvation; quiescence; invariant; all with aborts, deaths,
 *           resizing, lost answers, late requests and lost leases.  Without
 *           faults of the store also fcfs; fife; concurrent-entering;
 *           strong-concurrent-entering; bounded-doorway; bounded-leave;
 *           bounded-abort.  fenced, even if clocks fail
 * Costs     1 + k + 2n words; an undisturbed passage makes 3 requests that
 *           write
 * Invariant The invariant of ledger, and: all slots have the same session.
 *
 * A claim is not guarded by the sessions of the holders.  While the ticket of a
 * waiter p is there, no process arrives into a slot, and only waiters before p
 * claim slots.  So if all holders and all tickets before p's own had p's
 * session when p looked, all later holders have p's session, too.
 */
#include "algorithm.h"

/* How many slots an arriving process tries; etcd limits the number of
 * guards. */
enum { TRIES = 7 };

/* The value of the pool's word as last seen, plus 1; 0: not seen yet.  It lasts
 * from passage to passage, so an arriving process need not look first. */
enum { OWN_POOL, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

/* A pool without a limit has as many slots as processes. */
static unsigned slots_of(const struct shape *shape)
{
	return shape->k ? shape_slots(shape) : shape->n;
}

static size_t words(const struct shape *shape)
{
	return store_at(STORE_RANGES, slots_of(shape), shape->n);
}

static struct word *first_of(void *shared, const struct shape *shape,
			     enum store_range range)
{
	return (struct word *)shared +
	       store_at(range, slots_of(shape), shape->n);
}

static struct word *slot_at(void *shared, const struct shape *shape, unsigned i)
{
	return first_of(shared, shape, STORE_SLOT) + i;
}

static struct word *member_of(void *shared, const struct shape *shape,
			      unsigned p)
{
	return first_of(shared, shape, STORE_MEMBER) + p;
}

static struct word *ticket_of(void *shared, const struct shape *shape,
			      unsigned p)
{
	return first_of(shared, shape, STORE_WAITER) + p;
}

static void init(void *shared, const struct shape *shape)
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

/* Returns the number of slots that the pool's value opens. */
static unsigned open_slots(const struct shape *shape, uint64_t pool)
{
	uint64_t k = shape->k ? store_pool_k(pool) : shape->n;

	if (store_pool_paused(pool))
		return 0;
	return k < slots_of(shape) ? (unsigned)k : slots_of(shape);
}

static uint64_t expected_pool(const struct process *self)
{
	uint64_t seen = mem_own_read(self, OWN_POOL);

	return seen ? seen - 1 : store_pool(self->shape->k, false);
}

/* Returns whether the process saw a slot of its own; sets slot and token. */
static bool saw_slot(void *shared, struct process *self)
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

static void guard_arrival(struct transaction *t, void *shared,
			  const struct process *self)
{
	mem_if_absent(t, member_of(shared, self->shape, self->id));
	mem_if_all(t, first_of(shared, self->shape, STORE_POOL), 1,
		   expected_pool(self));
}

/* Take slot i if no process waits and, if the pool is not empty, all holders
 * have this session. */
static void try_slot(struct transaction *t, void *shared, struct process *self,
		     unsigned i, bool empty)
{
	const struct shape *shape = self->shape;

	guard_arrival(t, shared, self);
	mem_if_none(t, first_of(shared, shape, STORE_WAITER), shape->n);
	if (empty) {
		mem_if_none(t, first_of(shared, shape, STORE_SLOT),
			    slots_of(shape));
	} else {
		mem_if_all(t, first_of(shared, shape, STORE_SLOT),
			   slots_of(shape), self->session);
		mem_if_absent(t, slot_at(shared, shape, i));
	}
	mem_put(t, member_of(shared, shape, self->id), 0);
	mem_put(t, slot_at(shared, shape, i), self->session);
	mem_else(t);
}

/* Take a slot if the process need not wait; otherwise take a ticket. */
static int ask(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	const unsigned open = open_slots(shape, expected_pool(self));
	struct transaction t = mem_begin();

	if (open)
		try_slot(&t, shared, self, self->hint % open, true);
	for (unsigned j = 0; j < open && j < TRIES; j++)
		try_slot(&t, shared, self, (self->hint + j) % open, false);
	guard_arrival(&t, shared, self);
	mem_put(&t, member_of(shared, shape, self->id), 0);
	mem_put(&t, ticket_of(shared, shape, self->id), self->session);
L2:	return mem_commit(self, &t);
}

/*
 * Arrive: returns true if the process has a slot, and false if it has a ticket.
 * If the pool's value is not the expected one, the process expects the value
 * that it has seen, and asks again.  If its lease ended, the process begins
 * again with a new lease; an answer that came after the end of the lease says
 * nothing about the present.
 */
static bool doorway(void *shared, struct process *self)
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

/* Returns whether all holders, and all tickets before the process's own, have
 * its session; *before is the number of these tickets. */
static bool may_enter(void *shared, const struct process *self,
		      unsigned *before)
{
	uint64_t own = mem_seen(self, ticket_of(shared, self->shape, self->id));

	for (unsigned i = 0; i < slots_of(self->shape); i++) {
		struct word *slot = slot_at(shared, self->shape, i);

		if (mem_seen(self, slot) &&
		    mem_seen_value(self, slot) != self->session)
			return false;
	}
	*before = 0;
	for (unsigned q = 0; q < self->shape->n; q++) {
		struct word *ticket = ticket_of(shared, self->shape, q);

		if (!mem_seen(self, ticket) || mem_seen(self, ticket) >= own)
			continue;
		if (mem_seen_value(self, ticket) != self->session)
			return false;
		++*before;
	}
	return true;
}

/* Returns the slot that the process may claim, or -1 if it must wait. */
static int slot_to_claim(void *shared, const struct process *self)
{
	unsigned before;
	unsigned open = open_slots(self->shape,
		mem_seen_value(self, first_of(shared, self->shape,
					      STORE_POOL)));

	if (!may_enter(shared, self, &before))
		return -1;
	for (unsigned i = 0; i < open; i++)
		if (!mem_seen(self, slot_at(shared, self->shape, i)) &&
		    before-- == 0)
			return (int)i;
	return -1;
}

static int claim(void *shared, struct process *self, unsigned i)
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

static bool poll(void *shared, struct process *self, struct wait_set *wait)
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

static void leave(void *shared, struct process *self)
{
	(void)shared;
L3:	mem_revoke(self);
}

static void give_up(void *shared, struct process *self)
{
	(void)shared;
A1:	mem_revoke(self);
}

/* The lease of the dead process ends. */
static void recover(void *shared, struct process *victim)
{
	(void)shared;
V1:	mem_revoke(victim);
}

static void set_limit(void *shared, struct process *self, unsigned k)
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

/* A paused pool has k = 0. */
static bool quiet(void *shared, const struct shape *shape)
{
	uint64_t pool = mem_peek_value(first_of(shared, shape, STORE_POOL));

	for (size_t i = 1; i < words(shape); i++)
		if (mem_peek_stamp((struct word *)shared + i))
			return false;
	return pool == store_pool(shape->k, false) || store_pool_paused(pool);
}

static bool has_one_session(void *shared, const struct shape *shape)
{
	uint64_t session = 0;

	for (unsigned i = 0; i < slots_of(shape); i++) {
		struct word *slot = slot_at(shared, shape, i);

		if (!mem_peek_stamp(slot))
			continue;
		if (session && mem_peek_value(slot) != session)
			return false;
		session = mem_peek_value(slot);
	}
	return true;
}

static bool invariant(void *shared, const struct shape *shape,
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
	return has_one_session(shared, shape);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

/* L1, L2 and the answer. */
static unsigned three_steps(const struct shape *shape)
{
	(void)shape;
	return 3;
}

/* Counts C2 and its answer, then C1, C2 and the answer: an overtaken waiter may
 * be about to claim a slot that another process has taken. */
static unsigned five_steps(const struct shape *shape)
{
	(void)shape;
	return 5;
}

const struct algorithm ledger_room = {
	.name = "ledger-room",
	.source = "ours",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | AT_MOST_K | UNIQUE_SLOTS | FCFS | FIFE |
		    CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING |
		    NO_DEADLOCK | NO_STARVATION | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE | BOUNDED_ABORT | FENCED | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_TRANSACTION,
	.over_store = true,
	.retries = true,
	.limits = { .least_n = 1, .most_k = 10000 },
	.words = words, .own_words = own_words, .own_persistent = own_words,
	.init = init, .quiet = quiet, .invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.recover = recover, .set_limit = set_limit,
	.bounds = {
		.doorway_steps = three_steps, .leave_steps = one_step,
		.abort_steps = one_step, .solo_steps = five_steps,
		.rmr_cc = { NULL, "none: requests to a store" },
		.rmr_dsm = { NULL, "none: requests to a store" },
	},
};
