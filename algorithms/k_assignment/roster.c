/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * roster: k-exclusion with slots, in order of arrival; one can give up, and the
 * dead are recovered.
 *
 * Idea      A slot is a word.  While nobody waits one compare-and-swap takes a
 *           free slot and one gives it back.  Who waits draws a token, and a
 *           tree of minima names the oldest at its root, which closes the short
 *           way.  Who leaves reserves its slot for the oldest and then tells it.
 *           A reservation that its member's word contradicts is void: so to
 *           leave, to give up and to be declared dead is one write.
 * Source    ours; labels ours
 * Shape     1 <= n <= 4096, 1 <= k <= 1024, room to grow
 * Promises  at-most-k; unique-slots; fife, fcfs if k = 1; no-starvation with
 *           k-1 crashes; bounded-doorway; bounded-leave; bounded-abort;
 *           no-lost-wake; quiescence; invariant; all with aborts, recovered
 *           deaths and resizing
 * Costs     about 3n+k words; alone 2 RMRs in CC, 4 in DSM
 * Invariant I1 to I6 and I8, at `invariant`
 */
#include "algorithm.h"
#include "roster_resize.h"
#include "roster_state.h"

/* Who leaves tries so often to hand over its slot. */
enum { ROUNDS = 4 };

/*
 * Own words: the slot last held + 1; the number of the last registration, of
 * which two bits are told; how often this id was recovered.  Of this passage:
 * what we wrote into W, 0 on the short way; how far the scan is; and the void
 * reservation it has met.
 */
enum {
	OWN_HINT, OWN_SEQ, OWN_INCARNATION,
	OWN_PERSISTENT,
	OWN_WAIT = OWN_PERSISTENT, OWN_SCANNED, OWN_VOID,
	OWN_WORDS
};

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PERSISTENT;
}

/* The slot i + j, j < slots, around. */
static unsigned around(const struct process *self, unsigned i, unsigned j)
{
	i += j;
	return i < slots(self->shape) ? i : i - slots(self->shape);
}

/* Where to look first: at the slot last held, so that each keeps its own. */
static unsigned hint(const struct process *self)
{
	uint64_t held = mem_own_read(self, OWN_HINT);

	if (held - 1 < slots(self->shape))
		return (unsigned)held - 1;
	return self->id % slots(self->shape);
}

/* How far the scan is: own words are not trusted, either. */
static unsigned scanned_by(const struct process *self)
{
	uint64_t scanned = mem_own_read(self, OWN_SCANNED);

	return scanned < slots(self->shape) ? (unsigned)scanned
					    : slots(self->shape);
}

static void hold(struct process *self, unsigned i)
{
	mem_own_write(self, OWN_HINT, i + 1);
	self->slot = (int)i;
}

static uint64_t fast_word(const struct process *self)
{
	return slot_word(FAST, self->id, mem_own_read(self, OWN_INCARNATION));
}

static bool take_another(struct roster *m, struct process *self, unsigned first)
{
	for (unsigned j = 1; j < slots(self->shape); j++) {
		unsigned i = around(self, first, j);
		uint64_t x;
		bool ok;

E2r:		x = mem_read(slot_at(m, i));
		if (x != FREE)
			continue;
E2:		ok = mem_cas(slot_at(m, i), FREE, fast_word(self));
		if (ok) {
			hold(self, i);
			return true;
		}
	}
	return false;
}

static bool take_free(struct roster *m, struct process *self)
{
	unsigned i = hint(self);
	bool ok;

E2:	ok = mem_cas(slot_at(m, i), FREE, fast_word(self));
	if (!ok)
		return take_another(m, self, i);
	hold(self, i);
	return true;
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

static bool doorway(void *shared, struct process *self)
{
	struct roster *m = shared;
	uint64_t r;

	if (self->evicted)
		return false;
E1:	r = mem_read(&m->ROOT);
	if (is_empty(r) && take_free(m, self))
		return true;
	sign_up(m, self);
	return false;
}

/* The void reservation that the scan has met is not left behind. */
static void drop_void(struct roster *m, struct process *self)
{
	uint64_t x = mem_own_read(self, OWN_VOID);
	unsigned i = around(self, hint(self), scanned_by(self));

	if (x != FREE)
		release(m, i, x); /* A0 */
	mem_own_write(self, OWN_VOID, FREE);
}

/* Our word w says no longer that we wait. */
static void accept(struct process *self, uint64_t w)
{
	unsigned i = slot_of(w);

	if (i < slots(self->shape) &&
	    w == granted(mem_own_read(self, OWN_WAIT), i)) {
		hold(self, i);
	} else {
		self->evicted = true;
		self->slot = -1;
	}
}

/* One pass: look at our word, and settle one slot, once. */
static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct roster *m = shared;
	struct word *W = W_at(m, self->shape, self->id);
	unsigned scanned;
	uint64_t w, x;

S0:	w = mem_read(W);
	if (w != mem_own_read(self, OWN_WAIT)) {
		drop_void(m, self);
		accept(self, w);
		return true;
	}
	/* Who gave up to hand a slot over relies on this. */
	if (wait_slept(wait))
		mem_own_write(self, OWN_SCANNED, 0);
	scanned = scanned_by(self);
	if (scanned == slots(self->shape)) {
		wait_for_change(wait, W, w);
		return false;
	}
	x = settle_once(m, self, SCAN, around(self, hint(self), scanned),
			mem_own_read(self, OWN_VOID));
	if (x == SETTLED)
		mem_own_write(self, OWN_SCANNED, scanned + 1);
	mem_own_write(self, OWN_VOID, x == SETTLED ? FREE : x);
	return false;
}

/*
 * Slot i is ours no more, and x is what we know of it: somebody else's, if there
 * is somebody.  Others may come in between every time: in the end we leave it
 * to the oldest, who scans again when it wakes.
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
static bool mark_is_gone(struct roster *m, struct process *self)
{
	struct word *slot = slot_at(m, (unsigned)self->slot);
	uint64_t x;
	bool ok;

L1C:	ok = mem_cas(slot, fast_word(self) | MARK, CLOSED);
	if (ok)
		return false;
L1r:	x = mem_read(slot);
	self->evicted = (x & ~MARK) != fast_word(self);
	return !self->evicted;
}

static void leave_fast(struct roster *m, struct process *self)
{
	unsigned i = (unsigned)self->slot;
	uint64_t x, r;
	bool ok;

	do {
L1:		ok = mem_cas(slot_at(m, i), fast_word(self), FREE);
	} while (!ok && mark_is_gone(m, self));
	if (!ok)
		return;
T4:	r = mem_read(&m->ROOT);
	if (is_empty(r))
		return;
	x = offer(m, self, LEAVE, i, FREE, r);
	hand_on(m, self, i, x, ROUNDS - 1);
}

static void leave_granted(struct roster *m, struct process *self, unsigned i)
{
	uint64_t w = mem_own_read(self, OWN_WAIT);
	bool ok;

L2:	ok = mem_cas(W_at(m, self->shape, self->id), granted(w, i),
		     idle_word(w));
	if (ok)
		hand_on(m, self, i, slot_word(RES, self->id, token_of(w)),
			ROUNDS);
	else
		self->evicted = true;
}

static void leave(void *shared, struct process *self)
{
	if (mem_own_read(self, OWN_WAIT) == 0)
		leave_fast(shared, self);
	else
		leave_granted(shared, self, (unsigned)self->slot);
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
		propagate(m, self->shape, self->id);
		return;
	}
	/* It has come: what was granted is given back. */
A2:	w = mem_read(W);
	accept(self, w);
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
	mem_own_write(victim, OWN_INCARNATION,
		      mem_own_read(victim, OWN_INCARNATION) + 1);
}

/*
 * A failed round is T1, T4, T5 and a path; the first has no T1, and the last
 * hands over: T1, T3, T4, T5, T5B, T6, T7 and a path.  Three steps more, L1C,
 * L1r and L1, are for one that resizes meanwhile.
 */
static unsigned leave_steps(const struct shape *shape)
{
	unsigned path = propagate_steps(shape);

	return 1 + (2 + path) + (ROUNDS - 2) * (3 + path) + (7 + path) + 3;
}

/* 12d+2k-2 */
static unsigned doorway_steps(const struct shape *shape)
{
	return 2 * slots(shape) + 2 + propagate_steps(shape);
}

/* A0 with T4D, A1, A2; then as one that leaves: all rounds start at T4. */
static unsigned abort_steps(const struct shape *shape)
{
	unsigned path = propagate_steps(shape);

	return 4 + 1 + (ROUNDS - 1) * (2 + path) + (5 + path);
}

/* Alone: every slot once, and every stale entry refreshed away once. */
static unsigned solo_steps(const struct shape *shape)
{
	return (shape->n + slots(shape)) * (8 + propagate_steps(shape));
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
	.least_n = 1, .most_n = MOST_N, .least_k = 1, .most_k = MOST_K,
	.words = words_of, .own_words = own_words,
	.own_persistent = own_persistent, .init = roster_init,
	.quiet = roster_quiet, .invariant = roster_invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.recover = recover, .resize = roster_resize,
	.holder = roster_holder, .rank = roster_rank,
	.doorway_steps = doorway_steps, .leave_steps = leave_steps,
	.abort_steps = abort_steps, .solo_steps = solo_steps,
	.rmr_cc = { NULL, "2 if nobody waits; 24d+4k+1 undisturbed" },
	.rmr_dsm = { NULL, "4 if nobody waits; 24d+4k-1 undisturbed" },
};
