/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * k-bakery-safe: the k-bakery from safe registers.
 *
 * Idea      As k-bakery-fife, with two copies of each announcement.  The writer
 *           writes the first copy, then the second.  A reader reads the second
 *           copy, then the first, and goes on only if both copies permit it.
 * Source    Danek, "The k-Bakery", PODC 2010, Figure 3; lines 31b and 31c,
 *           which correct the figure, and abort are ours:
 *           docs/algorithms/k-bakery-safe.md
 * Shape     any n, any k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           bounded-abort; no-lost-wake; prompt-wake; quiescence; all with safe
 *           registers and aborts
 * Costs     n + 4n*n words; DSM 10(n-1) RMRs; CC 25(n-1)+1
 * Invariant The invariant of k-bakery-fife.  In addition, a ticket is larger
 *           than every capture that was written before the ticket was chosen.
 */
#include "k_bakery_predecessors.h"

static const uint64_t INFINITE = UINT64_MAX; /* does not compete */

struct note {
	OWN_LINE struct word ticket;
};

/* The two copies of an announcement: [1] and [2] in the figure. */
struct pair {
	OWN_LINE struct word first;
	struct word second;
};

/*
 * The words, in this order:
 *
 *	Ticket[p]      the ticket of p, which never decreases
 *	Want[p][q]     the ticket of p, for q to read; INFINITE if p does not
 *	               compete
 *	Capture[p][q]  the ticket with which p last captured q, for q to read
 *
 * Own words: the ticket and a copy of Capture[p][i] for each i, which persist;
 * then the predecessors.  With these copies no process needs to read a register
 * that it writes.
 */
enum { OWN_TICKET, OWN_CAPTURE };

static unsigned own_persistent(const struct shape *shape)
{
	return OWN_CAPTURE + shape->n;
}

static unsigned own_words(const struct shape *shape)
{
	return own_persistent(shape) + predecessor_words(shape);
}

static size_t words(const struct shape *shape)
{
	return shape->n * WORDS(struct note) +
	       2 * (size_t)shape->n * shape->n * WORDS(struct pair);
}

static struct word *ticket_of(void *shared, unsigned p)
{
	struct note *note = shared;

	return &note[p].ticket;
}

static struct pair *want(void *shared, const struct shape *shape, unsigned p,
			 unsigned q)
{
	struct note *note = shared;
	struct pair *pair = (struct pair *)(note + shape->n);

	return &pair[p * shape->n + q];
}

static struct pair *capture(void *shared, const struct shape *shape, unsigned p,
			    unsigned q)
{
	return want(shared, shape, shape->n + p, q);
}

/* A read that overlaps a write returns 0 or `large`, so it may decide a
 * comparison with a ticket either way.  For captures `large` is finite, because
 * a process chooses its next ticket above the captures that it reads. */
static void init_pair(struct pair *pair, const char *name, unsigned p,
		      unsigned q, uint64_t value, uint64_t large)
{
	struct word *copy[] = { &pair->first, &pair->second };

	for (unsigned c = 0; c < 2; c++) {
		mem_poke(copy[c], value);
		mem_place(copy[c], q);
		mem_safe_domain(copy[c], ((uint64_t[]){ 0, large }), 2);
		mem_name(copy[c], name, p, q, c + 1);
	}
}

static void init(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(ticket_of(shared, p), 0);
		mem_place(ticket_of(shared, p), p);
		mem_safe_domain(ticket_of(shared, p), ((uint64_t[]){ 0, 4 }),
				2);
		mem_name(ticket_of(shared, p), "Ticket", p);
		for (unsigned q = 0; q < shape->n; q++) {
			init_pair(want(shared, shape, p, q), "Want", p, q,
				  INFINITE, INFINITE);
			init_pair(capture(shared, shape, p, q), "Capture", p, q,
				  0, 9);
		}
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++)
		for (unsigned q = 0; q < shape->n; q++) {
			struct pair *pair = want(shared, shape, p, q);

			if (mem_peek(&pair->first) != INFINITE ||
			    mem_peek(&pair->second) != INFINITE)
				return false;
		}
	return true;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A waiter sleeps on the copy whose value made it wait, which may be either
 * copy. */
static void wake_pair(struct pair *pair)
{
	mem_wake(&pair->first);
	mem_wake(&pair->second);
}

/* Returns one more than the largest of all tickets, our own last ticket, and
 * all captures that we see.  A capture that was written before we came is not
 * meant for us, so our ticket must be larger. */
static uint64_t choose(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t most = mem_own_read(self, OWN_TICKET);
	uint64_t v;

	for (unsigned i = 0; i < shape->n; i++) {
		if (i == self->id)
			continue;
L31a:		v = safe_read(ticket_of(shared, i));
		most = larger(v, most);
	}
	for (unsigned i = 0; i < shape->n; i++) {
		if (i == self->id)
			continue;
L31b:		v = safe_read(&capture(shared, shape, i, self->id)->first);
		most = larger(v, most);
L31c:		v = safe_read(&capture(shared, shape, i, self->id)->second);
		most = larger(v, most);
	}
	return most + 1;
}

/* Tells our ticket to all processes, so that processes with smaller tickets can
 * follow us. */
static void capture_all(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	for (unsigned i = 0; i < shape->n; i++) {
		struct pair *pair = capture(shared, shape, self->id, i);
		uint64_t v;

		if (i == self->id)
			continue;
L44:		v = safe_read(ticket_of(shared, i));
		/* An older capture already lets process i in.  Do not write a
		 * new one: during the write process i could read any value. */
		if (mem_own_read(self, OWN_CAPTURE + i) > v)
			continue;
L45a:		safe_write(&pair->first, mem_own_read(self, OWN_TICKET));
L45b:		safe_write(&pair->second, mem_own_read(self, OWN_TICKET));
		mem_own_write(self, OWN_CAPTURE + i,
			      mem_own_read(self, OWN_TICKET));
		wake_pair(pair);
	}
}

/* Line 30 writes the ticket of the last passage, which is a lower bound for the
 * next ticket. */
static void begin(void *shared, struct process *self)
{
	for (unsigned i = 0; i < self->shape->n; i++) {
		struct pair *pair = want(shared, self->shape, self->id, i);

		if (i == self->id)
			continue;
L30a:		safe_write(&pair->first, mem_own_read(self, OWN_TICKET));
L30b:		safe_write(&pair->second, mem_own_read(self, OWN_TICKET));
	}
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	begin(shared, self);
	mem_own_write(self, OWN_TICKET, choose(shared, self));
L31d:	safe_write(ticket_of(shared, self->id), mem_own_read(self, OWN_TICKET));
	doorway_ends(self);

	for (unsigned i = 0; i < shape->n; i++) {
		struct pair *pair = want(shared, shape, self->id, i);

		if (i == self->id)
			continue;
L33a:		safe_write(&pair->first, mem_own_read(self, OWN_TICKET));
L33b:		safe_write(&pair->second, mem_own_read(self, OWN_TICKET));
		/* Want rises from the lower bound to the ticket, which may
		 * release a waiter with a smaller ticket. */
		wake_pair(pair);
	}
	everybody_precedes(self, own_persistent(shape)); /* 34 */
	/* If k >= n, no process ever waits, and line 43 has nothing to tell. */
	return predecessors(self, own_persistent(shape)) < shape->k;
}

/* Returns whether i's ticket is larger than ours, or i does not compete. */
static bool comes_after(void *shared, struct process *self, unsigned i,
			struct wait_set *wait)
{
	struct pair *pair = want(shared, self->shape, i, self->id);
	uint64_t w;

L38:	w = safe_read(&pair->second);
	if (!before(mem_own_read(self, OWN_TICKET), self->id, w, i)) {
		wait_for_change(wait, &pair->second, w);
		return false;
	}
L39:	w = safe_read(&pair->first);
	if (!before(mem_own_read(self, OWN_TICKET), self->id, w, i)) {
		wait_for_change(wait, &pair->first, w);
		return false;
	}
	return true;
}

/* Returns whether i has entered with a larger ticket than ours. */
static bool is_captured_by(void *shared, struct process *self, unsigned i,
			   struct wait_set *wait)
{
	struct pair *pair = capture(shared, self->shape, i, self->id);
	uint64_t c;

L41:	c = safe_read(&pair->second);
	if (mem_own_read(self, OWN_TICKET) >= c) {
		wait_for_change(wait, &pair->second, c);
		return false;
	}
L42:	c = safe_read(&pair->first);
	if (mem_own_read(self, OWN_TICKET) >= c) {
		wait_for_change(wait, &pair->first, c);
		return false;
	}
	return true;
}

/* Makes one round of the loop at line 36; the round that returns true goes on
 * to line 43. */
static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	const struct shape *shape = self->shape;
	unsigned first = own_persistent(shape);
	bool captured = false; /* 35 */

	for (unsigned i = 0; i < shape->n; i++)
		if (is_predecessor(self, first, i) &&
		    comes_after(shared, self, i, wait))
			drop_predecessor(self, first, i);
	for (unsigned i = 0; i < shape->n; i++)
		if (i != self->id && is_captured_by(shared, self, i, wait))
			captured = true;
	if (predecessors(self, first) >= shape->k && !captured)
		return false;
	capture_all(shared, self);
	return true;
}

/* Serves both for leaving and for giving up: the process no longer competes. */
static void leave(void *shared, struct process *self)
{
	for (unsigned i = 0; i < self->shape->n; i++) {
		struct pair *pair = want(shared, self->shape, self->id, i);

		if (i == self->id)
			continue;
L48a:		safe_write(&pair->first, INFINITE);
L48b:		safe_write(&pair->second, INFINITE);
		wake_pair(pair);
	}
}

/* The doorway is lines 30, 31a to 31c, and 31d.  A safe write is two steps. */
static unsigned doorway_steps(const struct shape *shape)
{
	return (4 + 3) * (shape->n - 1) + 2;
}

static unsigned leave_steps(const struct shape *shape)
{
	return 4 * (shape->n - 1);
}

/* Counts the steps of line 33, of the rest of a pass that began before the
 * process ran alone, of a whole pass, and of lines 44 and 45. */
static unsigned solo_steps(const struct shape *shape)
{
	return (4 + 4 + 4 + 5) * shape->n;
}

/* The remote lines are 30, 31a, 33, 44, 45 and 48.  A process waits only on
 * words in its own memory. */
static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 10 * (uint64_t)(shape->n - 1);
}

/*
 * For each other process i, the process p makes eight writes (lines 30, 33, 45
 * and 48) and reads Ticket[i] at lines 31a and 44.  p pays for a further read
 * of another word only after i has written that word.
 * docs/algorithms/k-bakery-safe.md counts these writes of i: p pays at most 8
 * times for Want[i][p] and at most 7 times for Capture[i][p].  Line 31d is one
 * write more.
 */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return (8 + 2 + 8 + 7) * (uint64_t)(shape->n - 1) + 1;
}

const struct algorithm k_bakery_safe = {
	.name = "k-bakery-safe",
	.source = "Danek 2010, Figure 3, corrected",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_SAFE,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = leave,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = leave_steps, .solo_steps = solo_steps,
		.rmr_cc = { rmr_cc, "25(n-1)+1" },
		.rmr_dsm = { rmr_dsm, "10(n-1)" },
	},
};
