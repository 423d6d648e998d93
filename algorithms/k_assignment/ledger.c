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
 * The parts that ledger-room has, too, are in ../ledger.h: doorway (L1), poll
 * (C1, C2), leave (L3), give_up (A1), recover (V1) and set_limit (Z1, Z2).
 */
#include "../ledger.h"

/* How many slots an arriving process tries; etcd limits the number of
 * guards. */
enum { TRIES = 8 };

static unsigned slots_of(const struct shape *shape)
{
	return shape_slots(shape);
}

static unsigned open_slots(const struct shape *shape, uint64_t pool)
{
	uint64_t k = store_pool_paused(pool) ? 0 : store_pool_k(pool);

	return k < shape_slots(shape) ? (unsigned)k : shape_slots(shape);
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

/* A waiter claims a slot in order of arrival. */
static bool may_claim(void *shared, const struct process *self,
		      unsigned *before)
{
	uint64_t own = mem_seen(self, ticket_of(shared, self->shape, self->id));

	*before = 0;
	for (unsigned q = 0; q < self->shape->n; q++) {
		uint64_t ticket = mem_seen(self, ticket_of(shared, self->shape,
							   q));

		*before += ticket && ticket < own;
	}
	return true;
}

/* A paused pool has k = 0. */
static bool quiet(void *shared, const struct shape *shape)
{
	uint64_t pool = mem_peek_value(first_of(shared, shape, STORE_POOL));

	return only_pool_is_present(shared, shape) &&
	       (shape->k ? pool == store_pool(shape->k, false)
			 : store_pool_paused(pool));
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
	.init = init, .quiet = quiet, .invariant = owners_are_right,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.recover = recover, .set_limit = set_limit,
	.bounds = {
		.doorway_steps = three_steps, .leave_steps = one_step,
		.abort_steps = one_step, .solo_steps = five_steps,
		.rmr_cc = { NULL, "none: requests to a store" },
		.rmr_dsm = { NULL, "none: requests to a store" },
	},
};
