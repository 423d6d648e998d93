/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * k-bakery: k-exclusion from single-writer reads and writes, first come first
 * served but for k-1.
 *
 * Idea      Tell each other process one's ticket in a word of its own; enter
 *           when fewer than k others may still be ahead.
 * Source    Danek, "The k-Bakery", PODC 2010, Figure 2 without the shaded
 *           lines; abort and the reset of a dead row are ours.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; k-fcfs; no-starvation with k-1 crashes;
 *           bounded-doorway; bounded-leave; bounded-abort; no-lost-wake;
 *           quiescence; all with aborts and recovered deaths
 *           Not fife: see docs/algorithms/k-bakery.md.
 * Costs     n + n*n words; DSM 4(n-1) RMRs, CC 8(n-1)+1
 * Invariant A process drops i from its predecessors only if i's ticket is
 *           larger, or i is not competing; so of the processes inside and
 *           waiting, the k with the smallest tickets are the ones let in.
 */
#include "algorithm.h"

static const uint64_t INFINITE = UINT64_MAX; /* not competing */

/*
 * First Ticket[n]: p's ticket, which never shrinks.  Then Want[n][n]: Want[p][q]
 * is p's ticket as q may see it.
 */
struct note {
	OWN_LINE struct word ticket;
};

/* Own words: the ticket outlives the passage, then one bit a predecessor. */
enum { OWN_TICKET, OWN_PREDECESSORS };

static unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PREDECESSORS;
}

static unsigned own_words(const struct shape *shape)
{
	return OWN_PREDECESSORS + (shape->n + 63) / 64;
}

static size_t words(const struct shape *shape)
{
	return shape->n * (shape->n + 1) * WORDS(struct note);
}

static struct word *ticket_of(void *shared, unsigned p)
{
	struct note *note = shared;

	return &note[p].ticket;
}

static struct word *want(void *shared, const struct shape *shape, unsigned p,
			 unsigned q)
{
	struct note *note = shared;

	return &note[shape->n + p * shape->n + q].ticket;
}

static void init(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(ticket_of(shared, p), 0);
		mem_place(ticket_of(shared, p), p);
		mem_name(ticket_of(shared, p), "Ticket", p);
		for (unsigned q = 0; q < shape->n; q++) {
			mem_poke(want(shared, shape, p, q), INFINITE);
			mem_place(want(shared, shape, p, q), q);
			mem_name(want(shared, shape, p, q), "Want", p, q);
		}
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++)
		for (unsigned q = 0; q < shape->n; q++)
			if (mem_peek(want(shared, shape, p, q)) != INFINITE)
				return false;
	return true;
}

static bool before(uint64_t t, unsigned i, uint64_t u, unsigned j)
{
	return t < u || (t == u && i < j);
}

static bool is_predecessor(struct process *self, unsigned i)
{
	return mem_own_read(self, OWN_PREDECESSORS + i / 64) >> i % 64 & 1;
}

static void drop_predecessor(struct process *self, unsigned i)
{
	uint64_t bits = mem_own_read(self, OWN_PREDECESSORS + i / 64);

	mem_own_write(self, OWN_PREDECESSORS + i / 64,
		      bits & ~(UINT64_C(1) << i % 64));
}

static unsigned predecessors(struct process *self)
{
	unsigned count = 0;

	for (unsigned i = 0; i < self->shape->n; i++)
		count += is_predecessor(self, i);
	return count;
}

static void everybody_precedes(struct process *self)
{
	for (unsigned i = 0; i < self->shape->n; i += 64) {
		unsigned here = self->shape->n - i;

		mem_own_write(self, OWN_PREDECESSORS + i / 64,
			      here < 64 ? (UINT64_C(1) << here) - 1
					: UINT64_MAX);
	}
	drop_predecessor(self, self->id);
}

/* One more than the largest ticket, our own last one included. */
static uint64_t choose(void *shared, struct process *self)
{
	uint64_t most = mem_own_read(self, OWN_TICKET);

	for (unsigned i = 0; i < self->shape->n; i++) {
		uint64_t v;

		if (i == self->id)
			continue;
L15a:		v = mem_read(ticket_of(shared, i));
		most = v > most ? v : most;
	}
	return most + 1;
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	/* The ticket of the last passage: a lower bound of the next. */
	for (unsigned i = 0; i < shape->n; i++)
		if (i != self->id)
L14:			mem_write(want(shared, shape, self->id, i),
				  mem_own_read(self, OWN_TICKET));
	mem_own_write(self, OWN_TICKET, choose(shared, self));
L15b:	mem_write(ticket_of(shared, self->id), mem_own_read(self, OWN_TICKET));
	doorway_ends(self);

	for (unsigned i = 0; i < shape->n; i++) {
		if (i == self->id)
			continue;
L16:		mem_write(want(shared, shape, self->id, i),
			  mem_own_read(self, OWN_TICKET));
		/* Raised from the lower bound: it may release a smaller one. */
		mem_wake(want(shared, shape, self->id, i));
	}
	everybody_precedes(self); /* 18 */
	return predecessors(self) < shape->k;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	const struct shape *shape = self->shape;

	for (unsigned i = 0; i < shape->n; i++) {
		uint64_t w;

		if (!is_predecessor(self, i))
			continue;
L21:		w = mem_read(want(shared, shape, i, self->id));
		if (before(mem_own_read(self, OWN_TICKET), self->id, w, i))
			drop_predecessor(self, i);
		else
			wait_for_change(wait, want(shared, shape, i, self->id),
					w);
	}
	return predecessors(self) < shape->k;
}

/* Leaving, giving up and burying the dead are the same: compete no more. */
static void leave(void *shared, struct process *self)
{
	for (unsigned i = 0; i < self->shape->n; i++) {
		if (i == self->id)
			continue;
L25:		mem_write(want(shared, self->shape, self->id, i), INFINITE);
		mem_wake(want(shared, self->shape, self->id, i));
	}
}

/*
 * The ticket of the dead is an own word and stays: the next member with this
 * id starts from it, and it is no smaller than what others have seen.
 */
static void recover(void *shared, struct process *victim)
{
	leave(shared, victim);
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 2 * (shape->n - 1) + 1;
}

static unsigned leave_steps(const struct shape *shape)
{
	return shape->n - 1;
}

static unsigned solo_steps(const struct shape *shape)
{
	return 3 * shape->n;
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 8 * (uint64_t)(shape->n - 1) + 1;
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 4 * (uint64_t)(shape->n - 1);
}

const struct algorithm k_bakery = {
	.name = "k-bakery",
	.source = "Danek 2010, Figure 2 unshaded",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | BOUNDED_ABORT |
		    NO_LOST_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.tolerates_crashes = true,
	.least_n = 1, .least_k = 1,
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = leave,
	.recover = recover,
	.doorway_steps = doorway_steps, .leave_steps = leave_steps,
	.abort_steps = leave_steps, .solo_steps = solo_steps,
	.rmr_cc = { rmr_cc, "8(n-1)+1" },
	.rmr_dsm = { rmr_dsm, "4(n-1)" },
};
