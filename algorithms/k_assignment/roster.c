/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * roster: k-exclusion with slots, in order of arrival; one can give up, and the
 * dead are recovered.
 *
 * Idea      A slot is a word.  While nobody waits one compare-and-swap takes a
 *           free slot and one gives it back.  Who waits draws a token, and a
 *           tree of minima names the oldest at its root, which closes the short
 *           way.  Who leaves reserves its slot for the oldest and tells it.
 *           A reservation that its member's word contradicts is void: so to
 *           leave, to give up and to be declared dead is one write.
 * Source    ours; labels ours
 * Shape     1 <= n <= 4096, 1 <= k <= 1024, room to grow
 * Promises  at-most-k; unique-slots; k-fcfs; fife; no-starvation with k-1
 *           crashes; bounded-doorway; bounded-leave; bounded-abort;
 *           quiescence; invariant; all with aborts, recovered deaths and
 *           resizing.  no-lost-wake, unless who leaves is disturbed ROUNDS
 *           times: then it takes a nap
 * Costs     about 3n+k words; while nobody waits 2 RMRs in CC, 4 in DSM
 * Invariant I1 to I6 and I8, in roster_state.h and roster_tree.h
 */
#include "algorithm.h"
#include "roster_own.h"
#include "roster_resize.h"
#include "roster_state.h"

/* Who leaves tries so often to hand over its slot. */
enum { ROUNDS = 4 };

/* The seat has been tried, if we have one. */
static bool take_another(struct roster *m, struct process *self)
{
	for (unsigned j = self->seat != NULL; j < slots(self->shape); j++) {
		unsigned i = around(self, self->hint, j);
		uint64_t x;
		bool ok;

E2r:		x = mem_read(slot_at(m, i));
		if (x != FREE)
			continue;
E2:		ok = mem_cas(slot_at(m, i), FREE, fast_word(self));
		if (ok) {
			hold(m, self, i);
			return true;
		}
	}
	return false;
}

static void sign_up(struct roster *m, struct process *self)
{
	uint64_t t, seq = mem_own_read(self, OWN_SEQ) + 1;

D1:	t = mem_add(&m->TOKEN, 1);
	mem_own_write(self, OWN_SEQ, seq & 3);
	mem_own_write(self, OWN_WAIT, wait_word(seq, t));
D2:	mem_write(W_at(m, self->shape, self->id), mem_own_read(self, OWN_WAIT));
	propagate(m, self->shape, self->id);
}

/* The rest of the doorway; r is what was read in ROOT. */
__attribute__((noinline))
static bool go_on(struct roster *m, struct process *self, uint64_t r)
{
	if (self->evicted)
		return false;
	if (is_empty(r) && take_another(m, self))
		return true;
	sign_up(m, self);
	return false;
}

/* The short way is all there is here: no register is saved for the rest. */
static bool doorway(void *shared, struct process *self)
{
	struct roster *m = shared;
	uint64_t r;
	bool ok = false;

E1:	r = mem_read(&m->ROOT);
	if (is_empty(r) && self->seat) {
		self->slot = (int)self->hint;
E2:		ok = mem_cas(self->seat, FREE, self->keep);
	}
	return ok || go_on(m, self, r);
}

/* The void reservation that the scan has met is not left behind. */
static void drop_void(struct roster *m, struct process *self)
{
	uint64_t x = mem_own_read(self, OWN_VOID);
	unsigned i = around(self, self->hint, scanned_by(self));

	if (x != FREE)
		release(m, i, x); /* A0 */
	mem_own_write(self, OWN_VOID, FREE);
	mem_own_write(self, OWN_SCANNED, 0);
}

/* Without a seat the short way is closed, too. */
static void be_evicted(struct process *self)
{
	self->evicted = true;
	self->seat = NULL;
}

/* Our word w says no longer that we wait. */
static void accept(struct roster *m, struct process *self, uint64_t w)
{
	unsigned i = slot_of(w);

	if (i < slots(self->shape) &&
	    w == granted(mem_own_read(self, OWN_WAIT), i)) {
		hold(m, self, i);
	} else {
		be_evicted(self);
		self->slot = -1;
	}
}

/* Settle the slot at which the scan is, once.  True: that was the last. */
static bool scan(struct roster *m, struct process *self)
{
	unsigned scanned = scanned_by(self);
	uint64_t x;

	x = settle_once(m, self, SCAN, around(self, self->hint, scanned),
			mem_own_read(self, OWN_VOID));
	mem_own_write(self, OWN_VOID, x == SETTLED ? FREE : x);
	if (x == SETTLED)
		mem_own_write(self, OWN_SCANNED, ++scanned);
	return scanned == slots(self->shape);
}

/* Our word w: do we still wait? */
static bool still_waits(struct roster *m, struct process *self, uint64_t w)
{
	if (w == mem_own_read(self, OWN_WAIT))
		return true;
	drop_void(m, self);
	accept(m, self, w);
	return false;
}

/* One pass: look at our word, and unless the scan is done settle one slot. */
static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct roster *m = shared;
	struct word *W = W_at(m, self->shape, self->id);
	uint64_t w;

S0:	w = mem_read(W);
	if (!still_waits(m, self, w))
		return true;
	/* Who gave up to hand a slot over relies on this. */
	if (wait_slept(wait))
		mem_own_write(self, OWN_SCANNED, 0);
	if (scanned_by(self) < slots(self->shape)) {
		if (!scan(m, self))
			return false;
WAIT:		w = mem_read(W);
		if (!still_waits(m, self, w))
			return true;
	}
	wait_for_change(wait, W, w);
	return false;
}

/*
 * Slot i is ours no more, and x is what we know of it.  Others may come in
 * between every time: in the end we leave it to the oldest, who scans again
 * when it wakes.
 */
static void hand_on(struct roster *m, const struct process *self, unsigned i,
		    uint64_t x, unsigned rounds)
{
	uint64_t r;

	for (; rounds > 0 && x != SETTLED; rounds--)
		x = settle_once(m, self, LEAVE, i, x);
	if (x == SETTLED)
		return;
	if (x != FREE)
		release(m, i, x);
T9:	r = mem_read(&m->ROOT);
	if (named(r) < self->shape->n)
		mem_wake(W_at(m, self->shape, named(r)));
}

/* Marked: it is closed.  True: not so, the mark is gone; once more. */
__attribute__((noinline))
static bool mark_is_gone(struct roster *m, struct process *self)
{
	struct word *slot = slot_at(m, (unsigned)self->slot);
	uint64_t x;
	bool ok;

L1C:	ok = mem_cas(slot, fast_word(self) | MARK, CLOSED);
	if (ok)
		return false;
L1r:	x = mem_read(slot);
	if ((x & ~MARK) == fast_word(self))
		return true;
	be_evicted(self);
	return false;
}

/* Somebody waits: r is what was read in ROOT. */
__attribute__((noinline))
static int hand_fast(struct roster *m, struct process *self, uint64_t r)
{
	unsigned i = (unsigned)self->slot;
	uint64_t x = offer(m, self, LEAVE, i, FREE, r);

	hand_on(m, self, i, x, ROUNDS - 1);
	return 0;
}

static int leave_fast(struct roster *m, struct process *self)
{
	uint64_t r;
	bool ok;

	do {
L1:		ok = mem_cas(self->seat, self->keep, FREE);
	} while (!ok && mark_is_gone(m, self));
	if (!ok)
		return self->evicted ? EVICTED : 0;
T4:	r = mem_read(&m->ROOT);
	if (is_empty(r))
		return 0;
	return hand_fast(m, self, r);
}

__attribute__((noinline))
static int leave_granted(struct roster *m, struct process *self, unsigned i)
{
	uint64_t w = mem_own_read(self, OWN_WAIT);
	bool ok;

L2:	ok = mem_cas(W_at(m, self->shape, self->id), granted(w, i),
		     idle_word(w));
	mem_own_write(self, OWN_WAIT, 0);
	if (ok)
		hand_on(m, self, i, slot_word(RES, self->id, token_of(w)),
			ROUNDS);
	else
		be_evicted(self);
	return ok ? 0 : EVICTED;
}

static int depart(void *shared, struct process *self)
{
	if (mem_own_read(self, OWN_WAIT) == 0)
		return leave_fast(shared, self);
	return leave_granted(shared, self, (unsigned)self->slot);
}

static void leave(void *shared, struct process *self)
{
	(void)depart(shared, self);
}

static void give_up(void *shared, struct process *self)
{
	struct roster *m = shared;
	struct word *W = W_at(m, self->shape, self->id);
	uint64_t w = mem_own_read(self, OWN_WAIT);
	bool ok;

	drop_void(m, self);
A1:	ok = mem_cas(W, w, idle_word(w));
	if (ok) {
		mem_own_write(self, OWN_WAIT, 0);
		propagate(m, self->shape, self->id);
		return;
	}
	/* It has come: what was granted is given back. */
A2:	w = mem_read(W);
	accept(m, self, w);
	if (!self->evicted)
		leave_granted(m, self, (unsigned)self->slot);
}

static void recover(void *shared, struct process *victim)
{
	struct roster *m = shared;
	struct word *W = W_at(m, victim->shape, victim->id);
	uint64_t w, x;
	bool ok;

	do {
V1:		w = mem_read(W);
		if (kind_of(w) == IDLE)
			break;
		/* It fails if the dead one is granted a slot meanwhile. */
V3:		ok = mem_cas(W, w, idle_word(w));
	} while (!ok);
	propagate(m, victim->shape, victim->id); /* V4 */
	for (unsigned i = 0; i < slots(victim->shape); i++) {
		do {
V5:			x = mem_read(slot_at(m, i));
			if (kind_of(x) != FAST || id_of(x) != victim->id)
				break;
			/* It fails if the mark is set or taken meanwhile. */
V7:			ok = mem_cas(slot_at(m, i), x,
				     x & MARK ? CLOSED : FREE);
		} while (!ok);
	}
	settle_all(m, victim);
}

/*
 * L1; rounds of T1, T4, T5 and a path, the first without T1, the last one with
 * T3, T5B, T6 and T7 as well.  Three steps more, L1C, L1r and L1, are for one
 * that resizes meanwhile.
 */
static unsigned leave_steps(const struct shape *shape)
{
	return 1 + ROUNDS * (3 + propagate_steps(shape)) - 1 + 4 + 3;
}

/* Without a seat all slots are read first: 12d+2k-1, with one 12d+2k-2. */
static unsigned doorway_steps(const struct shape *shape)
{
	return 1 + 2 * slots(shape) + 2 + propagate_steps(shape);
}

/* A0 with T4D, A1, A2, L2; rounds of T4, T5 and a path, the last one with T5B,
 * T6 and T7. */
static unsigned abort_steps(const struct shape *shape)
{
	return 5 + ROUNDS * (2 + propagate_steps(shape)) + 3;
}

/* Alone: every slot twice, once after a nap, and every stale entry once. */
static unsigned solo_steps(const struct shape *shape)
{
	return (shape->n + 2 * slots(shape)) * (10 + propagate_steps(shape));
}

const struct algorithm roster = {
	.name = "roster",
	.source = "ours",
	.kind = KIND_K_ASSIGNMENT,
	.promises = AT_MOST_K | UNIQUE_SLOTS | K_FCFS | FIFE | NO_DEADLOCK |
		    NO_STARVATION | NO_LOST_WAKE | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE | BOUNDED_ABORT | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.tolerates_crashes = true, .retries = true, .naps = true,
	.limits = {
		.least_n = 1, .most_n = MOST_N, .least_k = 1, .most_k = MOST_K,
	},
	.words = words_of, .own_words = own_words,
	.own_persistent = own_persistent, .extent = extent_of,
	.init = roster_init,
	.quiet = roster_quiet, .invariant = roster_invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .depart = depart,
	.abort = give_up,
	.recover = recover, .resize = roster_resize,
	.holder = roster_holder, .rank = roster_rank,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { NULL, "2 if nobody waits; "
				  "24 ceil(log2 n)+4k+2 undisturbed" },
		.rmr_dsm = { NULL, "4 if nobody waits; "
				   "24 ceil(log2 n)+4k-1 undisturbed" },
	},
};
