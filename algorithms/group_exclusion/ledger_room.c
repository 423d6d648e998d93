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
 *
 * The parts that ledger has, too, are in ../ledger.h: doorway (L1), poll (C1,
 * C2), leave (L3), give_up (A1), recover (V1) and set_limit (Z1, Z2).
 */
#include "../ledger.h"

/* How many slots an arriving process tries; etcd limits the number of
 * guards. */
enum { TRIES = 7 };

/* A pool without a limit has as many slots as processes. */
static unsigned slots_of(const struct shape *shape)
{
	return shape->k ? shape_slots(shape) : shape->n;
}

static unsigned open_slots(const struct shape *shape, uint64_t pool)
{
	uint64_t k = shape->k ? store_pool_k(pool) : shape->n;

	if (store_pool_paused(pool))
		return 0;
	return k < slots_of(shape) ? (unsigned)k : slots_of(shape);
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

/* Returns whether all holders, and all tickets before the process's own, have
 * its session; *before is the number of these tickets. */
static bool may_claim(void *shared, const struct process *self,
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

/* A paused pool has k = 0. */
static bool quiet(void *shared, const struct shape *shape)
{
	uint64_t pool = mem_peek_value(first_of(shared, shape, STORE_POOL));

	return only_pool_is_present(shared, shape) &&
	       (pool == store_pool(shape->k, false) || store_pool_paused(pool));
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
	return owners_are_right(shared, shape, all) &&
	       has_one_session(shared, shape);
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
