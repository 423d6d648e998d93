/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * roster: k-exclusion with slots, in order of arrival.  Waiters can give up,
 * and dead members are recovered.
 *
 * Idea      Each slot is a word.  While no process waits, a process takes a
 *           free slot by one compare-and-swap and gives it back by another: the
 *           short way.  A waiter draws a token, and the root of a tree of
 *           minima names the waiter with the oldest token.  A root that is not
 *           empty closes the short way.  A leaver reserves its slot for the
 *           waiter that the root names, and tells this waiter.  A reservation
 *           is void as soon as the word of its waiter contradicts it.
 *           Therefore one write is enough to leave a granted slot, to give up,
 *           or to declare a member dead.
 * Source    ours; labels ours
 * Shape     1 <= n <= 4096, 1 <= k <= 1024; k can be resized
 * Promises  at-most-k; unique-slots; k-fcfs; fife; no-starvation with k-1
 *           crashes; no-wait-below-k; prompt-wake; bounded-doorway;
 *           bounded-leave; exit-termination; bounded-abort; quiescence;
 *           invariant; all with aborts, recovered deaths and resizing.
 *           no-lost-wake with one exception: if other processes have disturbed
 *           a leaver ROUNDS times, a waiter may sleep until its nap ends
 * Costs     about 3n+k words; while no process waits, 2 RMRs in CC and 4 in DSM
 * Invariant I1 to I5 and I8, below, and I6 in roster_tree.h
 */
#include "algorithm.h"
#include "roster_tree.h"

/* The private values of a member. */

/*
 * The own words.  OWN_SEQ is the number of the last registration, modulo 4; W
 * and the nodes of the tree contain these two bits.  The other own words serve
 * one passage.  OWN_WAIT is the value that the process wrote into W, or 0 on
 * the short way.  OWN_SCANNED is the number of slots that the process's scan
 * has settled.  OWN_VOID is the void reservation that the scan has found.  The
 * process sets each of these three to zero as soon as it no longer needs the
 * value.  So a leaver has nothing to reset, and the checker has fewer states to
 * tell apart.
 *
 * Three more values are in private memory, which no other process can damage:
 * `hint` is the slot that the member held last, `seat` points at the word of
 * that slot, and `keep` is the value that the short way writes there.
 */
enum {
	OWN_SEQ,
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

/* Returns slot i + j modulo the number of slots, for j <= slots. */
static unsigned around(const struct process *self, unsigned i, unsigned j)
{
	i += j;
	return i < shape_slots(self->shape) ? i : i - shape_slots(self->shape);
}

/* Returns the number of slots that the scan has settled.  The function checks
 * the value that it reads, because own words are in shared memory. */
static unsigned scanned_by(const struct process *self)
{
	uint64_t scanned = mem_own_read(self, OWN_SCANNED);

	return scanned < shape_slots(self->shape) ? (unsigned)scanned
					    : shape_slots(self->shape);
}

static uint64_t fast_word(const struct process *self)
{
	return slot_word(FAST, self->id, self->badge);
}

/* Also notes slot i: in its next passage the member tries this slot first, so
 * that members tend to keep their slots. */
static void hold(struct roster *m, struct process *self, unsigned i)
{
	self->slot = (int)i;
	self->hint = i;
	self->seat = slot_at(m, i);
	self->keep = fast_word(self);
}

/*
 * Handing over a slot takes two compare-and-swaps.  The first changes the slot
 * from FREE or void to RES(q,t), the second changes W[q] from WAIT(t) to GRANT.
 * Between the two every process can see the reservation and can finish the
 * hand-over.
 *
 * A slot with the closing mark becomes CLOSED instead of being handed over.  A
 * process that sets or removes marks settles all slots afterwards.
 */

/* The kind of process that settles a slot: a waiter (SCAN), a leaver (LEAVE),
 * or a recoverer or the resizer (RECOVER). */
enum mode { SCAN, LEAVE, RECOVER };

/* Stands for a slot's word when nothing is left to do with the slot. */
static const uint64_t SETTLED = UINT64_MAX;

/* T8: wake q, which has been granted a slot.  The entry of q at ROOT has become
 * stale, and propagate removes it. */
static uint64_t tell(struct roster *m, const struct process *self, unsigned q)
{
	if (q != self->id)
		mem_wake(W_at(m, self->shape, q));
	propagate(m, self->shape, q);
	return SETTLED;
}

/*
 * T3: slot i has the value x, which is RES.  If the reservation is pending,
 * finish the hand-over.  If it is void and marked, close the slot.  Returns x
 * if the reservation is void and not marked, otherwise SETTLED.
 */
static uint64_t examine(struct roster *m, const struct process *self,
			enum mode mode, unsigned i, uint64_t x)
{
	struct word *W = W_at(m, self->shape, id_of(x));
	uint64_t w;
	bool ok;

	while (id_of(x) < self->shape->n) {
T3:		w = mem_read(W);
		if (is_taken(x, i, w)) {
			/* The process that granted the slot may have died
			 * before its T8. */
			if (mode == RECOVER)
				mem_wake(W);
			return SETTLED;
		}
		if (!is_pending(x, w))
			break;
T7:		ok = mem_cas(W, w, granted(w, i));
		if (ok)
			return tell(m, self, id_of(x));
	}
	if (!(x & MARK))
		return x;
	/* If T3C fails, the resizer has removed the mark and will settle the
	 * slot. */
T3C:	(void)mem_cas(slot_at(m, i), x, CLOSED);
	return SETTLED;
}

/* T4C: slot i has the void reservation x; free the slot, or close it if it is
 * marked. */
static void release(struct roster *m, unsigned i, uint64_t x)
{
	bool ok;

T4C:	ok = mem_cas(slot_at(m, i), x, FREE);
	if (ok)
		return;
	/* T4C fails if the slot was marked meanwhile, or if another process has
	 * settled the slot.  In the second case T4D fails too. */
T4D:	(void)mem_cas(slot_at(m, i), x | MARK, CLOSED);
}

/* ROOT has a stale entry of q: refresh the path of q, which removes the entry.
 * If q is out of range, any path will do, because ROOT is on every path. */
static uint64_t purge(struct roster *m, const struct shape *shape, unsigned q,
		      uint64_t x)
{
	propagate(m, shape, q < shape->n ? q : 0);
	return x;
}

/* The value of slot i is no longer x.  If x was a void reservation, perhaps the
 * resizer has just marked it; in that case close the slot. */
static uint64_t lost(struct roster *m, unsigned i, uint64_t x)
{
	bool ok = false;

	if (x != FREE)
T6D:		ok = mem_cas(slot_at(m, i), x | MARK, CLOSED);
	return ok ? SETTLED : FREE;
}

/*
 * From T5 on: offer slot i to the waiter that r, the value of ROOT, names.  x
 * is the value of the slot: FREE or a void reservation.  Returns SETTLED; or x
 * if the slot may still have this value; or FREE if the caller must read the
 * slot again.
 */
static uint64_t offer(struct roster *m, const struct process *self,
		      enum mode mode, unsigned i, uint64_t x, uint64_t r)
{
	const struct shape *shape = self->shape;
	unsigned q = named(r);
	uint64_t w = IDLE, again, reserved;
	bool ok;

	if (q < shape->n)
T5:		w = mem_read(W_at(m, shape, q));
	if (!is_fresh(r, q, w))
		return purge(m, shape, q, x);
	/* Without this read, w could belong to a later registration of the
	 * waiter than r does. */
T5B:	again = mem_read(&m->ROOT);
	if ((again ^ r) & ENTRY)
		return x;
	reserved = slot_word(RES, q, token_of(w));
T6:	ok = mem_cas(slot_at(m, i), x, reserved);
	if (!ok)
		return lost(m, i, x);
T7:	ok = mem_cas(W_at(m, shape, q), w, granted(w, i));
	return ok ? tell(m, self, q) : examine(m, self, mode, i, reserved);
}

/* One round: try to hand slot i over to the oldest waiter.  x and the result
 * are as in offer. */
static uint64_t settle_once(struct roster *m, const struct process *self,
			    enum mode mode, unsigned i, uint64_t x)
{
	uint64_t r;

	if (x == FREE) {
T1:		x = mem_read(slot_at(m, i));
		if (kind_of(x) == FAST || kind_of(x) == CLOSED)
			return SETTLED;
		if (kind_of(x) == RES) {
			x = examine(m, self, mode, i, x);
			/* A waiter must read its own word before it goes on. */
			if (x == SETTLED || mode == SCAN)
				return x;
		}
	}
T4:	r = mem_read(&m->ROOT);
	if (!is_empty(r))
		return offer(m, self, mode, i, x, r);
	if (x != FREE)
		release(m, i, x);
	return SETTLED;
}

static void settle_all(struct roster *m, const struct process *self)
{
	for (unsigned i = 0; i < shape_slots(self->shape); i++) {
		uint64_t x = FREE;

		while (x != SETTLED)
			x = settle_once(m, self, RECOVER, i, x);
	}
}

/* Entering, leaving, giving up, recovering. */

/* How often a leaver tries to hand over its slot. */
enum { ROUNDS = 4 };

/* Try all slots except the seat: if the member has a seat, the doorway has
 * already tried that slot. */
static bool take_another(struct roster *m, struct process *self)
{
	for (unsigned j = self->seat != NULL; j < shape_slots(self->shape); j++) {
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

/* The rest of the doorway.  r is the value of ROOT that the doorway read. */
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

/* This function contains only the short way.  The rest is in go_on, so that the
 * short way need not save registers. */
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

/* End the scan.  If the scan has found a void reservation, release its slot. */
static void drop_void(struct roster *m, struct process *self)
{
	uint64_t x = mem_own_read(self, OWN_VOID);
	unsigned i = around(self, self->hint, scanned_by(self));

	if (x != FREE)
		release(m, i, x); /* A0 */
	mem_own_write(self, OWN_VOID, FREE);
	mem_own_write(self, OWN_SCANNED, 0);
}

/* Without a seat an evicted member cannot take the short way. */
static void be_evicted(struct process *self)
{
	self->evicted = true;
	self->seat = NULL;
}

/* Our word w no longer says WAIT: we were granted a slot, or evicted. */
static void accept(struct roster *m, struct process *self, uint64_t w)
{
	unsigned i = slot_of(w);

	if (i < shape_slots(self->shape) &&
	    w == granted(mem_own_read(self, OWN_WAIT), i)) {
		hold(m, self, i);
	} else {
		be_evicted(self);
		self->slot = -1;
	}
}

/*
 * Makes one round, with the next slot of the scan.  Returns true if the scan is
 * complete.
 */
static bool scan(struct roster *m, struct process *self)
{
	unsigned scanned = scanned_by(self);
	uint64_t x;

	x = settle_once(m, self, SCAN, around(self, self->hint, scanned),
			mem_own_read(self, OWN_VOID));
	mem_own_write(self, OWN_VOID, x == SETTLED ? FREE : x);
	if (x == SETTLED)
		mem_own_write(self, OWN_SCANNED, ++scanned);
	return scanned == shape_slots(self->shape);
}

/* Returns whether we still wait, according to our word w. */
static bool still_waits(struct roster *m, struct process *self, uint64_t w)
{
	if (w == mem_own_read(self, OWN_WAIT))
		return true;
	drop_void(m, self);
	accept(m, self, w);
	return false;
}

/* One pass: read our word, and try to settle one slot unless the scan is
 * complete. */
static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct roster *m = shared;
	struct word *W = W_at(m, self->shape, self->id);
	uint64_t w;

S0:	w = mem_read(W);
	if (!still_waits(m, self, w))
		return true;
	/* A leaver that has failed ROUNDS times relies on a waiter to find its
	 * slot.  Therefore a waiter scans all slots again after a sleep. */
	if (wait_slept(wait))
		mem_own_write(self, OWN_SCANNED, 0);
	if (scanned_by(self) < shape_slots(self->shape)) {
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
 * Slot i is no longer ours.  x is its value, or FREE if we must read it.  Other
 * processes may disturb every round.  After the last round the leaver wakes the
 * oldest waiter, which then scans all slots again.
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

/* L1 has failed.  If our slot is marked, close it.  Returns true if the resizer
 * has removed the mark meanwhile; the caller must then try L1 again. */
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

/* ROOT is not empty, so a process may wait.  r is the value of ROOT. */
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
	/* A slot was granted to us meanwhile: give it back. */
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

	/* If the dead member is granted a slot between V1 and V3, V3 makes the
	 * reservation void, and settle_all frees the slot. */
V1:	w = mem_read(W);
V3:	mem_write(W, idle_word(w));
	/* A leaver removes only one stale entry per round, and it has only
	 * ROUNDS rounds.  So the recoverer must not leave the entries of many
	 * dead waiters to a leaver. */
	propagate(m, victim->shape, victim->id); /* V4 */
	for (unsigned i = 0; i < shape_slots(victim->shape); i++) {
		do {
V5:			x = mem_read(slot_at(m, i));
			if (kind_of(x) != FAST || id_of(x) != victim->id)
				break;
			/* V7 fails if the resizer sets or removes the mark
			 * meanwhile. */
V7:			ok = mem_cas(slot_at(m, i), x,
				     x & MARK ? CLOSED : FREE);
		} while (!ok);
	}
	settle_all(m, victim);
}

/*
 * Resizing.  The resizer closes a free slot at once.  It marks a slot in use,
 * and the holder closes the slot when it leaves.  Only the resizer changes a
 * slot from open to marked or closed, or back, and there is only one resizer at
 * a time.  So the resizer's count of open slots stays right.
 *
 * At the end the resizer settles all slots.  This is necessary because a
 * reservation may become void just before the resizer marks its slot, or while
 * the resizer removes the mark.  A compare-and-swap on this slot by another
 * process may then fail, so that no process gives the slot to the oldest
 * waiter.
 */

static bool is_open(uint64_t x)
{
	return kind_of(x) != CLOSED && !(x & MARK);
}

static unsigned count_open(struct roster *m, const struct shape *shape)
{
	unsigned open = 0;

	for (unsigned i = 0; i < shape_slots(shape); i++) {
		uint64_t x;

Z1:		x = mem_read(slot_at(m, i));
		open += is_open(x);
	}
	return open;
}

/* Close or mark slot i if it is open.  Returns true if it was open. */
static bool shut(struct roster *m, unsigned i)
{
	uint64_t x;
	bool ok;

	do {
Z2:		x = mem_read(slot_at(m, i));
		if (!is_open(x))
			return false;
Z3:		ok = mem_cas(slot_at(m, i), x, x == FREE ? CLOSED : x | MARK);
	} while (!ok);
	return true;
}

/* Remove the mark of slot i.  Returns false if slot i has no mark, or if a
 * leaver has closed it meanwhile. */
static bool unmark(struct roster *m, unsigned i)
{
	uint64_t x;
	bool ok;

Z4:	x = mem_read(slot_at(m, i));
	if (!(x & MARK))
		return false;
Z5:	ok = mem_cas(slot_at(m, i), x, x & ~MARK);
	return ok;
}

static bool reopen(struct roster *m, unsigned i)
{
	bool ok;

Z6:	ok = mem_cas(slot_at(m, i), CLOSED, FREE);
	return ok;
}

static void resize(void *shared, const struct shape *shape, unsigned k)
{
	/* The resizer does not act under the id of a member, even if the caller
	 * is a member. */
	struct process nobody = { .id = shape->n, .shape = shape };
	struct roster *m = shared;
	unsigned open;

Z0:	mem_write(&m->LIMIT, k);
	open = count_open(m, shape);
	for (unsigned i = shape_slots(shape); i-- > 0 && open > k;)
		open -= shut(m, i);
	/* Marked slots may be in use, so they must be opened first.  If a
	 * closed slot were opened instead, k + 1 processes could be inside. */
	for (unsigned i = 0; i < shape_slots(shape) && open < k; i++)
		open += unmark(m, i);
	for (unsigned i = 0; i < shape_slots(shape) && open < k; i++)
		open += reopen(m, i);
	settle_all(m, &nobody);
}

/*
 * Initial state, quiescence, invariant, and functions for observers.
 *
 * I1  If p is inside with slot i, slot[i] is FAST with id p, or it is RES with
 *     id p and taken.
 * I2  At most one slot is FAST with id p, and then W[p] is IDLE.
 * I3  If W[p] is GRANT(i,t), slot[i] is RES(p,t).
 * I4  If p is in its remainder, W[p] is IDLE.
 * I5  Every token in a W word is older than TOKEN.
 * I6  See roster_tree.h.
 * I8  A slot with a closing mark is FAST or RES.  LIMIT slots are neither
 *     closed nor marked, unless a resize is under way.
 */

static void init(void *shared, const struct shape *shape)
{
	struct roster *m = shared;

	mem_poke(&m->TOKEN, 1);
	mem_name(&m->TOKEN, "TOKEN");
	mem_poke(&m->LIMIT, shape->k);
	mem_name(&m->LIMIT, "LIMIT");
	mem_poke(&m->ROOT, 0);
	mem_name(&m->ROOT, "ROOT");
	for (unsigned h = 2; h < first_leaf(shape); h++) {
		mem_poke(node_at(m, shape, h), 0);
		mem_name(node_at(m, shape, h), "node", h);
	}
	for (unsigned i = 0; i < shape_slots(shape); i++) {
		mem_poke(slot_at(m, i), i < shape->k ? FREE : CLOSED);
		mem_name(slot_at(m, i), "slot", i);
	}
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(W_at(m, shape, p), IDLE);
		mem_place(W_at(m, shape, p), p);
		mem_name(W_at(m, shape, p), "W", p);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct roster *m = shared;
	uint64_t open = 0;

	for (unsigned i = 0; i < shape_slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		if (x != FREE && x != CLOSED)
			return false;
		open += x == FREE;
	}
	for (unsigned p = 0; p < shape->n; p++)
		if (kind_of(mem_peek(W_at(m, shape, p))) != IDLE)
			return false;
	for (unsigned h = 1; h < first_leaf(shape); h++)
		if (!is_empty(mem_peek(node_at(m, shape, h))))
			return false;
	return open == mem_peek(&m->LIMIT) && open == shape->k;
}

/* Checks I1 for process p, which is inside with slot i. */
static bool is_held(struct roster *m, const struct shape *shape, unsigned p,
		    unsigned i)
{
	uint64_t x = mem_peek(slot_at(m, i));

	if (id_of(x) != p)
		return false;
	return kind_of(x) == FAST ||
	       (kind_of(x) == RES &&
		is_taken(x, i, mem_peek(W_at(m, shape, p))));
}

/* Checks I2 for process p. */
static bool is_fast_once(struct roster *m, const struct shape *shape,
			 unsigned p)
{
	unsigned count = 0;

	for (unsigned i = 0; i < shape_slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		count += kind_of(x) == FAST && id_of(x) == p;
	}
	return count == 0 || (count == 1 && kind_of(mem_peek(
						W_at(m, shape, p))) == IDLE);
}

/* Checks I3 and I5 for w, the W word of process p. */
static bool is_backed(struct roster *m, const struct shape *shape, unsigned p,
		      uint64_t w)
{
	uint64_t x;

	if (kind_of(w) == IDLE)
		return true;
	if (!older(token_of(w), mem_peek(&m->TOKEN)))
		return false;
	if (kind_of(w) == WAIT)
		return true;
	if (slot_of(w) >= shape_slots(shape))
		return false;
	x = mem_peek(slot_at(m, slot_of(w)));
	return kind_of(x) == RES && id_of(x) == p && is_taken(x, slot_of(w), w);
}

/* Checks I6 for a process that waits and whose W word is w. */
static bool is_behind_root(struct roster *m, const struct shape *shape,
			   uint64_t w)
{
	uint64_t r = mem_peek(&m->ROOT), first;
	unsigned q = named(r);

	if (q >= shape->n)
		return false;
	first = mem_peek(W_at(m, shape, q));
	return !is_fresh(r, q, first) || first == w ||
	       older(token_of(first), token_of(w));
}

/* Checks I8.  A process may have died during a resize; then the number of open
 * slots may be wrong until the next resizer repeats the work. */
static bool is_as_limited(struct roster *m, const struct shape *shape,
			  const struct whereabouts *all)
{
	uint64_t open = 0;
	bool resizing = false;

	for (unsigned i = 0; i < shape_slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		if ((x & MARK) && kind_of(x) != FAST && kind_of(x) != RES)
			return false;
		open += kind_of(x) != CLOSED && !(x & MARK);
	}
	for (unsigned p = 0; p < shape->n; p++)
		resizing |= all[p].phase == PHASE_RESIZING ||
			    all[p].phase == PHASE_DEAD;
	return resizing || open == mem_peek(&m->LIMIT);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct roster *m = shared;

	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t w = mem_peek(W_at(m, shape, p));
		enum phase phase = all[p].phase;

		if (!is_fast_once(m, shape, p) || !is_backed(m, shape, p, w))
			return false;
		if (phase == PHASE_INSIDE &&
		    !is_held(m, shape, p, (unsigned)all[p].slot))
			return false;
		if (phase == PHASE_REMAINDER && kind_of(w) != IDLE)
			return false;
		if (phase == PHASE_WAITING && kind_of(w) == WAIT &&
		    !is_behind_root(m, shape, w))
			return false;
	}
	return is_as_limited(m, shape, all);
}

static int holder(void *shared, const struct shape *shape, unsigned slot)
{
	struct roster *m = shared;
	uint64_t x, w;

	if (slot >= shape_slots(shape))
		return -1;
	x = mem_peek(slot_at(m, slot));
	if ((kind_of(x) != FAST && kind_of(x) != RES) || id_of(x) >= shape->n)
		return -1;
	w = mem_peek(W_at(m, shape, id_of(x)));
	if (kind_of(x) == RES && !is_taken(x, slot, w) && !is_pending(x, w))
		return -1;
	return (int)id_of(x);
}

/*
 * The rank is the distance of the waiter's token from a reference point.  This
 * point lies before TOKEN, by about half the range of all tokens.  It moves
 * only rarely, so an observer can compare ranks that it reads one after the
 * other.
 */
static uint64_t rank(void *shared, const struct shape *shape, unsigned id)
{
	struct roster *m = shared;
	const uint64_t quarter = UINT64_C(1) << (STAMP_BITS - 2);
	uint64_t w, from;

	if (id >= shape->n)
		return 0;
	w = mem_peek(W_at(m, shape, id));
	if (kind_of(w) != WAIT)
		return 0;
	from = (mem_peek(&m->TOKEN) & ~(quarter - 1)) - 2 * quarter;
	return ((token_of(w) - from) & (4 * quarter - 1)) + 1;
}

/* Bounds. */

/*
 * Counts L1, then ROUNDS rounds of T1, T4, T5 and the refresh of a path.  The
 * first round has no T1; the last round also has T3, T5B, T6 and T7.  If the
 * pool is resized meanwhile, there are three more steps: L1C, L1r and L1.
 */
static unsigned leave_steps(const struct shape *shape)
{
	return 1 + ROUNDS * (3 + propagate_steps(shape)) - 1 + 4 + 3;
}

/* In a tree with d levels, a member without a seat makes 12d+2k-1 steps.  A
 * member with a seat makes 12d+2k-2, because it tries the seat without E2r. */
static unsigned doorway_steps(const struct shape *shape)
{
	return 1 + 2 * shape_slots(shape) + 2 + propagate_steps(shape);
}

/* Counts A0 with T4D, A1, A2 and L2, then ROUNDS rounds of T4, T5 and the
 * refresh of a path.  The last round also has T5B, T6 and T7. */
static unsigned abort_steps(const struct shape *shape)
{
	return 5 + ROUNDS * (2 + propagate_steps(shape)) + 3;
}

/* A process that runs alone settles each slot twice, the second time after a
 * nap, and removes each stale entry once. */
static unsigned solo_steps(const struct shape *shape)
{
	return (shape->n + 2 * shape_slots(shape)) * (10 + propagate_steps(shape));
}

const struct algorithm roster = {
	.name = "roster",
	.source = "ours",
	.kind = KIND_K_ASSIGNMENT,
	.promises = AT_MOST_K | UNIQUE_SLOTS | K_FCFS | FIFE | NO_DEADLOCK |
		    NO_STARVATION | NO_WAIT_BELOW_K | NO_LOST_WAKE |
		    PROMPT_WAKE | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.tolerates_crashes = true, .retries = true, .naps = true,
	.limits = {
		.least_n = 1, .most_n = MOST_N, .least_k = 1, .most_k = MOST_K,
	},
	.words = words_of, .own_words = own_words,
	.own_persistent = own_persistent, .extent = extent_of,
	.init = init,
	.quiet = quiet, .invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .depart = depart,
	.abort = give_up,
	.recover = recover, .resize = resize,
	.holder = holder, .rank = rank,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { NULL, "2 if no process waits; "
				  "24 ceil(log2 n)+4k+2 undisturbed" },
		.rmr_dsm = { NULL, "4 if no process waits; "
				   "24 ceil(log2 n)+4k-1 undisturbed" },
	},
};
