/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ledger: k-exclusion with slots, in order of arrival, over a store.  Waiters
 * can give up, k can change, and a pool can be paused.
 *
 * Idea      A transaction is a list of alternatives.  At one instant, a store
 *           such as etcd makes the first alternative whose guards hold.  An
 *           arriving process takes a free slot if no process waits; otherwise
 *           it takes a ticket.  The stamp of a ticket is its place in the order
 *           of arrival.  A waiter that sees more free slots than tickets before
 *           its own claims a slot: the r-th free slot if r tickets are before
 *           its own.  So waiters claim different slots.  Everything that a
 *           process writes belongs to the lease of its passage: a dead or
 *           cut-off process loses all of it at once.
 * Source    ours, after Anderson and Moir's Figure 1 (am-queue); labels ours
 * Shape     any n, 1 <= k <= 10000; k can be resized
 * Promises  at-most-k; unique-slots; no-deadlock; no-starvation; quiescence;
 *           invariant; all with aborts, deaths, resizing, lost answers, late
 *           requests and lost leases.  Without faults of the store also k-fcfs;
 *           fife; bounded-doorway; bounded-leave; bounded-abort.  fenced, even
 *           if clocks fail
 * Costs     1 + k + 2n words; an undisturbed passage makes 3 requests that
 *           write
 * Invariant No process has two slots, or a slot and a ticket.  A process that
 *           is inside, and whose lease lasts, really has its slot.
 *
 * A transaction may be made although its answer is lost, and the memory then
 * sends it again.  Late requests may be made at any time.  So each transaction
 * is guarded by a word that it writes (L2 by the process's member, C2 by its
 * ticket): it is made at most once.  A process decides by those words that it
 * sees to be its own, not by the number of the alternative.
 */
#include "algorithm.h"

/* How many slots an arriving process tries; etcd limits the number of
 * guards. */
enum { TRIES = 8 };

/* The value of the pool's word as last seen, plus 1; 0: not seen yet.  It lasts
 * from passage to passage, so an arriving process need not look first. */
enum { OWN_POOL, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	return store_at(STORE_RANGES, shape_slots(shape), shape->n);
}

static struct word *first_of(void *shared, const struct shape *shape,
			     enum store_range range)
{
	return (struct word *)shared +
	       store_at(range, shape_slots(shape), shape->n);
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
	for (unsigned i = 0; i < shape_slots(shape); i++)
		mem_name(slot_at(shared, shape, i), "slot", i);
	for (unsigned p = 0; p < shape->n; p++) {
		mem_name(member_of(shared, shape, p), "member", p);
		mem_name(ticket_of(shared, shape, p), "ticket", p);
	}
}

/* Returns the number of slots that the pool's value opens. */
static unsigned open_slots(const struct shape *shape, uint64_t pool)
{
	uint64_t k = store_pool_paused(pool) ? 0 : store_pool_k(pool);

	return k < shape_slots(shape) ? (unsigned)k : shape_slots(shape);
}

static uint64_t expected_pool(const struct process *self)
{
	uint64_t seen = mem_own_read(self, OWN_POOL);

	return seen ? seen - 1 : store_pool(self->shape->k, false);
}

/* Returns whether the process saw a slot of its own; sets slot and token. */
static bool saw_slot(void *shared, struct process *self)
{
	for (unsigned i = 0; i < shape_slots(self->shape); i++) {
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

/* Take a free slot if no process waits; otherwise take a ticket. */
static int ask(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	const unsigned open = open_slots(shape, expected_pool(self));
	struct transaction t = mem_begin();

	for (unsigned j = 0; j < open && j < TRIES; j++) {
		struct word *slot = slot_at(shared, shape,
					    (self->hint + j) % open);

		guard_arrival(&t, shared, self);
		mem_if_none(&t, first_of(shared, shape, STORE_WAITER),
			    shape->n);
		mem_if_absent(&t, slot);
		mem_put(&t, member_of(shared, shape, self->id), 0);
		mem_put(&t, slot, 0);
		mem_else(&t);
	}
	guard_arrival(&t, shared, self);
	mem_put(&t, member_of(shared, shape, self->id), 0);
	mem_put(&t, ticket_of(shared, shape, self->id), 0);
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

/* Returns the number of tickets before the process's own. */
static unsigned tickets_before(void *shared, const struct process *self)
{
	uint64_t own = mem_seen(self, ticket_of(shared, self->shape, self->id));
	unsigned before = 0;

	for (unsigned q = 0; q < self->shape->n; q++) {
		uint64_t ticket = mem_seen(self, ticket_of(shared, self->shape,
							   q));

		before += ticket && ticket < own;
	}
	return before;
}

/* Returns the slot that the process may claim, or -1 if it must wait. */
static int slot_to_claim(void *shared, const struct process *self)
{
	unsigned before = tickets_before(shared, self);
	unsigned open = open_slots(self->shape,
		mem_seen_value(self, first_of(shared, self->shape,
					      STORE_POOL)));

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
	mem_put(&t, slot, 0);
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
	return shape->k ? pool == store_pool(shape->k, false)
			: store_pool_paused(pool);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	for (unsigned p = 0; p < shape->n; p++) {
		unsigned has = mem_peek_stamp(ticket_of(shared, shape, p)) != 0;
		int slot = -1;

		for (unsigned i = 0; i < shape_slots(shape); i++) {
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

const struct algorithm ledger = {
	.name = "ledger",
	.source = "ours",
	.kind = KIND_K_ASSIGNMENT,
	.promises = AT_MOST_K | UNIQUE_SLOTS | NO_DEADLOCK | NO_STARVATION |
		    K_FCFS | FIFE | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    BOUNDED_ABORT | FENCED | QUIESCENCE | INVARIANT,
	.primitives = USES_TRANSACTION,
	.over_store = true,
	.tolerates_crashes = true,
	.retries = true,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 10000 },
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
