/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ticket-ring: k-exclusion with slots, in order of arrival, at a cost that does
 * not grow with n.  Waiters can give up, and dead members are recovered.
 *
 * Idea      As in roster, each slot is a word, and while no process waits a
 *           process takes and returns a slot by one compare-and-swap each.  A
 *           waiter draws a ticket and announces itself in a cell of a ring; the
 *           next ticket to be served leads straight to its waiter.  A process
 *           that has freed a slot has the duty to hand it over, and no other
 *           process helps it.  The duty passes on with the slot: if the
 *           compare-and-swap on the slot fails, the process that has changed
 *           the slot has the duty.
 * Source    ours; labels ours
 * Shape     1 <= n <= 4096, 1 <= k <= 1024; k can be resized
 * Promises  at-most-k; unique-slots; k-fcfs; fife; no-starvation with k-1
 *           crashes; no-wait-below-k; prompt-wake; bounded-doorway;
 *           bounded-leave; exit-termination; bounded-abort; quiescence;
 *           invariant; all with aborts, recovered deaths and resizing.
 *           no-lost-wake with one exception: if other processes have disturbed
 *           a leaver in every round, a waiter may sleep until its nap ends
 * Costs     about 5n to 9n words and k; while no process waits, 2 RMRs in CC
 *           and 6 in DSM
 * Invariant I1 to I5 and I8, below, and I6 in ticket_ring_queue.h
 */
#include "algorithm.h"
#include "ticket_ring_queue.h"

/* The private values of a member. */

/*
 * The own words serve one passage.  OWN_WAIT is the value that the process
 * wrote into W, or 0 on the short way.  OWN_SCANNED is the number of slots that
 * the process has read since it signed up.
 *
 * Three more values are in private memory, which no other process can damage:
 * `hint` is the slot that the member held last, `seat` points at the word of
 * that slot, and `keep` is the value that the short way writes there.
 */
enum { OWN_WAIT, OWN_SCANNED, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

/* Returns slot i + j modulo the number of slots, for j <= slots. */
static unsigned around(const struct process *self, unsigned i, unsigned j)
{
	i += j;
	return i < shape_slots(self->shape) ? i : i - shape_slots(self->shape);
}

/* Returns the number of slots that the process has read.  The function checks
 * the value, because own words are in shared memory. */
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
static void hold(struct ring *m, struct process *self, unsigned i)
{
	self->slot = (int)i;
	self->hint = i;
	self->seat = slot_at(m, i);
	self->keep = fast_word(self);
}

/*
 * Handing over a slot takes two compare-and-swaps.  The first, T6, changes the
 * slot from FREE or void to RES(q,t), the second, T7, changes W[q] from WAIT(t)
 * to GRANT.
 *
 * Duty: a process that frees a slot, or makes it void by leaving, or whose T7
 * fails, has the duty to hand the slot over.  The duty ends when the process
 * has handed the slot over, or has found no waiter while the slot was FREE.  It
 * also ends when another process has changed the slot; that process then has
 * the duty.  So a waiter that reads the slots need not care for reservations:
 * it takes the duty for FREE slots only.
 *
 * A slot with the closing mark becomes CLOSED instead of being handed over.  A
 * process that sets or removes marks settles all slots afterwards.
 */

/* Stands for a slot's word when the process has no duty for the slot. */
static const uint64_t SETTLED = UINT64_MAX;

/* Stands for a slot when a process without a slot looks for finished tickets at
 * HEAD. */
enum { NO_SLOT = MOST_K };

static const struct walk from_HEAD = { 0, 0, 0, false, false };

/* T4C: slot i has the void reservation x; free the slot, or close it if it is
 * marked.  Returns FREE, or SETTLED if the slot is not free now. */
static uint64_t release(struct ring *m, unsigned i, uint64_t x)
{
	bool ok;

T4C:	ok = mem_cas(slot_at(m, i), x, FREE);
	if (ok)
		return FREE;
	/* T4C fails if the slot was marked meanwhile, or if another process has
	 * settled the slot.  In the second case T4D fails too. */
T4D:	(void)mem_cas(slot_at(m, i), x | MARK, CLOSED);
	return SETTLED;
}

/* T6 has failed: slot i no longer has the value x.  Perhaps the resizer has
 * just marked the void reservation x; then close the slot. */
static uint64_t lost(struct ring *m, unsigned i, uint64_t x)
{
	uint64_t y;
	bool ok = false;

	if (x != FREE)
T6D:		ok = mem_cas(slot_at(m, i), x | MARK, CLOSED);
	if (ok)
		return SETTLED;
T1:	y = mem_read(slot_at(m, i));
	return y == FREE || y == x ? y : SETTLED;
}

/* T8: wake q, which has been granted a slot. */
static void tell(struct ring *m, const struct process *self, unsigned q)
{
	if (q != self->id)
		mem_wake(W_at(m, self->shape, q));
}

/*
 * T7: slot i has the value x, a reservation.  Finish the hand-over if it is
 * pending; w is the last value that was read of the waiter's W word.  Returns
 * x if the reservation is void, otherwise SETTLED.
 */
static uint64_t grant(struct ring *m, const struct process *self, unsigned i,
		      uint64_t x, uint64_t w)
{
	struct word *W = W_at(m, self->shape, id_of(x));
	bool ok;

	/* A waiter changes its word from WAIT to STRAY at most once. */
	for (unsigned tries = 0; tries < 2 && is_pending(x, w); tries++) {
T7:		ok = mem_cas(W, w, granted(w, i));
		if (ok) {
			tell(m, self, id_of(x));
			return SETTLED;
		}
T3:		w = mem_read(W);
	}
	return is_taken(x, i, w) ? SETTLED : x;
}

/*
 * From T6 on: hand slot i over to the waiter q.  x is the value of the slot:
 * FREE or a void reservation.  Returns SETTLED or the new x.  If the walk has
 * led to q, and W[q] has changed, the ticket of q is finished.
 */
static uint64_t offer(struct ring *m, const struct process *self, unsigned i,
		      uint64_t x, struct waiter q, struct walk *walk)
{
	uint64_t reserved = slot_word(RES, q.id, ticket_of(q.w));
	bool ok;

T6:	ok = mem_cas(slot_at(m, i), x, reserved);
	if (!ok)
		return lost(m, i, x);
	x = grant(m, self, i, reserved, q.w);
	walk->at += q.at_front;
	walk->fresh = q.at_front;
	if (x == SETTLED && q.at_front)
		move_HEAD(m, walk);
	return x;
}

/*
 * One round: go on to the oldest waiter, and try to hand slot i over to it.  x
 * is the value of the slot: FREE or a void reservation.  Returns SETTLED or the
 * new x.  Takes from *rounds what the round has cost.
 */
static uint64_t settle_once(struct ring *m, const struct process *self,
			    unsigned i, uint64_t x, struct walk *walk,
			    int *rounds)
{
	struct waiter q;
	enum found found = find(m, self->shape, walk, &q);

	*rounds -= 1;
	if (found == EMPTY) {
		/* A waiter may have signed up and have read the slot as void
		 * before the release, so look again after it. */
		return x == FREE ? SETTLED : release(m, i, x);
	}
	if (found == AGAIN)
		return x;
	if (found == SEARCHED || !q.at_front)
		*rounds -= (int)self->shape->n;
	if (found == SEARCHED)
		return x;
	if (i != NO_SLOT)
		return offer(m, self, i, x, q, walk);
	if (walk->at == walk->head || !q.at_front)
		return SETTLED;
	/* The waiter may give up before it sees that HEAD has come to its
	 * ticket, so look at the ticket again. */
	move_HEAD(m, walk);
	return x;
}

/* How many rounds a process makes to hand over a slot; a round that reads all W
 * words counts as n more.  A finished ticket costs a round, so the number of
 * rounds is larger than the usual number of tickets between HEAD and TAIL. */
static int most_rounds(const struct shape *shape)
{
	return 64 + 2 * (int)cells_of(shape);
}

/* The rounds are used up.  Leave the slot to the waiter that HEAD leads to: it
 * reads all slots after its sleep.  Newcomers also read all slots, because
 * CLEAN is reset. */
static void leave_to_front(struct ring *m, const struct process *self,
			   unsigned i, uint64_t x)
{
	uint64_t h, u;

	if (x != FREE)
		(void)release(m, i, x);
T9h:	h = mem_read(&m->HEAD);
T9c:	mem_write(&m->CLEAN, h);
T9:	u = mem_read(cell_at(m, self->shape, h));
	if (named(u) < self->shape->n)
		mem_wake(W_at(m, self->shape, named(u)));
}

/* Slot i has the value x, which is FREE or a void reservation.  The process has
 * the duty to hand the slot over. */
static void hand_on(struct ring *m, const struct process *self, unsigned i,
		    uint64_t x, struct walk walk)
{
	int rounds = most_rounds(self->shape);

	while (rounds > 0 && x != SETTLED)
		x = settle_once(m, self, i, x, &walk, &rounds);
	if (x != SETTLED && i != NO_SLOT)
		leave_to_front(m, self, i, x);
}

/*
 * For a recoverer or the resizer: slot i has the value x, which is RES.  Finish
 * the hand-over if the reservation is pending, and close the slot if it is void
 * and marked.  Returns x if the reservation is void and not marked, otherwise
 * SETTLED.
 */
static uint64_t examine(struct ring *m, const struct process *self, unsigned i,
			uint64_t x)
{
	struct word *W = W_at(m, self->shape, id_of(x));
	uint64_t w;

	if (id_of(x) < self->shape->n) {
T3:		w = mem_read(W);
		/* The process that granted the slot may have died before its
		 * T8. */
		if (is_taken(x, i, w))
			mem_wake(W);
		if (grant(m, self, i, x, w) == SETTLED)
			return SETTLED;
	}
	if (!(x & MARK))
		return x;
	/* If T3C fails, the resizer has removed the mark and will settle the
	 * slot. */
T3C:	(void)mem_cas(slot_at(m, i), x, CLOSED);
	return SETTLED;
}

static void settle_all(struct ring *m, const struct process *self)
{
	for (unsigned i = 0; i < shape_slots(self->shape); i++) {
		uint64_t x;

T1:		x = mem_read(slot_at(m, i));
		if (kind_of(x) == FAST || kind_of(x) == CLOSED)
			continue;
		if (kind_of(x) == RES)
			x = examine(m, self, i, x);
		if (x != SETTLED)
			hand_on(m, self, i, x, from_HEAD);
	}
}

/* Entering, leaving, giving up, recovering. */

/* Try all slots except the seat: if the member has a seat, the doorway has
 * already tried that slot. */
static bool take_another(struct ring *m, struct process *self)
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

/*
 * The end of the doorway: find out whether the process must read all slots.
 * Also move CLEAN on before HEAD reaches it: while HEAD is older than CLEAN,
 * the claim of CLEAN is true for our ticket, too.
 */
static void look_at_CLEAN(struct ring *m, struct process *self)
{
	uint64_t t = ticket_of(mem_own_read(self, OWN_WAIT)), c, h;

C1:	c = mem_read(&m->CLEAN);
C2:	h = mem_read(&m->HEAD);
	if (after(c, h) <= 0)
		return;
	mem_own_write(self, OWN_SCANNED, shape_slots(self->shape));
	if (after(c, h) <= after(t, h) / 2)
C3:		mem_write(&m->CLEAN, t + 1);
}

/* The rest of the doorway.  h and t are the values of HEAD and TAIL that the
 * doorway read. */
__attribute__((noinline))
static bool go_on(struct ring *m, struct process *self, uint64_t h, uint64_t t)
{
	if (self->evicted)
		return false;
	if (h == t && take_another(m, self))
		return true;
	mem_own_write(self, OWN_WAIT, enter_queue(m, self, h));
	look_at_CLEAN(m, self);
	return false;
}

/* This function contains only the short way.  The rest is in go_on, so that the
 * short way need not save registers. */
static bool doorway(void *shared, struct process *self)
{
	struct ring *m = shared;
	uint64_t h, t;
	bool ok = false;

E1h:	h = mem_read(&m->HEAD);
E1:	t = mem_read(&m->TAIL);
	if (h == t && self->seat) {
		self->slot = (int)self->hint;
E2:		ok = mem_cas(self->seat, FREE, self->keep);
	}
	return ok || go_on(m, self, h, t);
}

/* Without a seat an evicted member cannot take the short way. */
static void be_evicted(struct process *self)
{
	self->evicted = true;
	self->seat = NULL;
}

/* Our word w no longer says WAIT: we were granted a slot, or evicted. */
static void accept(struct ring *m, struct process *self, uint64_t w)
{
	unsigned i = slot_of(w);

	mem_own_write(self, OWN_SCANNED, 0);
	if (i < shape_slots(self->shape) &&
	    w == granted(mem_own_read(self, OWN_WAIT), i)) {
		hold(m, self, i);
	} else {
		be_evicted(self);
		self->slot = -1;
	}
}

/*
 * S1: reads the next slot, and takes the duty for the slot if it is FREE.
 * Returns true if the process has read all slots.
 */
static bool scan(struct ring *m, struct process *self)
{
	unsigned scanned = scanned_by(self);
	unsigned i = around(self, self->hint, scanned);
	uint64_t x;

S1:	x = mem_read(slot_at(m, i));
	if (x == FREE)
		hand_on(m, self, i, FREE, from_HEAD);
	mem_own_write(self, OWN_SCANNED, ++scanned);
	if (scanned < shape_slots(self->shape))
		return false;
S2:	mem_write(&m->CLEAN, ticket_of(mem_own_read(self, OWN_WAIT)) + 1);
	return true;
}

/* Returns whether we still wait, according to our word w. */
static bool still_waits(struct ring *m, struct process *self, uint64_t w)
{
	if (w == mem_own_read(self, OWN_WAIT))
		return true;
	accept(m, self, w);
	return false;
}

/* One pass: read our word, and read one slot unless all are read. */
static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct ring *m = shared;
	struct word *W = W_at(m, self->shape, self->id);
	uint64_t w;

S0:	w = mem_read(W);
	if (!still_waits(m, self, w))
		return true;
	/* A process that has used up its rounds relies on a waiter to find its
	 * slot.  Therefore a waiter reads all slots again after a sleep. */
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

/* L1 has failed.  If our slot is marked, close it.  Returns true if the resizer
 * has removed the mark meanwhile; the caller must then try L1 again. */
__attribute__((noinline))
static bool mark_is_gone(struct ring *m, struct process *self)
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

__attribute__((noinline))
static int hand_fast(struct ring *m, struct process *self, uint64_t h,
		     uint64_t t)
{
	hand_on(m, self, (unsigned)self->slot, FREE,
		(struct walk){ h, h, t, true, true });
	return 0;
}

static int leave_fast(struct ring *m, struct process *self)
{
	uint64_t h, t;
	bool ok;

	do {
L1:		ok = mem_cas(self->seat, self->keep, FREE);
	} while (!ok && mark_is_gone(m, self));
	if (!ok)
		return self->evicted ? EVICTED : 0;
T4h:	h = mem_read(&m->HEAD);
T4:	t = mem_read(&m->TAIL);
	if (h == t)
		return 0;
	return hand_fast(m, self, h, t);
}

__attribute__((noinline))
static int leave_granted(struct ring *m, struct process *self, unsigned i)
{
	uint64_t w = mem_own_read(self, OWN_WAIT);
	bool ok;

L2:	ok = mem_cas(W_at(m, self->shape, self->id), granted(w, i), IDLE);
	mem_own_write(self, OWN_WAIT, 0);
	if (ok)
		hand_on(m, self, i, slot_word(RES, self->id, ticket_of(w)),
			from_HEAD);
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

/*
 * Our ticket has become finished without a grant.  If HEAD is still older, the
 * owner of the ticket before ours will leave or give up later, and HEAD then
 * passes our ticket.  But if LOST has an open mark, we may have been the last
 * lost waiter.
 */
static void pass_own(struct ring *m, const struct process *self, uint64_t w)
{
	uint64_t h, l;

A3:	h = mem_read(&m->HEAD);
A4:	l = mem_read(&m->LOST);
	if (may_be_lost(l) || after(ticket_of(w), h) <= 0)
		hand_on(m, self, NO_SLOT, FREE, from_HEAD);
}

static void give_up(void *shared, struct process *self)
{
	struct ring *m = shared;
	struct word *W = W_at(m, self->shape, self->id);
	uint64_t w = mem_own_read(self, OWN_WAIT);
	bool ok;

	mem_own_write(self, OWN_SCANNED, 0);
A1:	ok = mem_cas(W, w, IDLE);
	if (ok) {
		mem_own_write(self, OWN_WAIT, 0);
		pass_own(m, self, w);
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
	struct ring *m = shared;
	uint64_t x;
	bool ok;

	/* If the dead member is granted a slot before V3, V3 makes the
	 * reservation void, and settle_all frees the slot. */
V3:	mem_write(W_at(m, victim->shape, victim->id), IDLE);
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

static unsigned count_open(struct ring *m, const struct shape *shape)
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
static bool shut(struct ring *m, unsigned i)
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
static bool unmark(struct ring *m, unsigned i)
{
	uint64_t x;
	bool ok;

Z4:	x = mem_read(slot_at(m, i));
	if (!(x & MARK))
		return false;
Z5:	ok = mem_cas(slot_at(m, i), x, x & ~MARK);
	return ok;
}

static bool reopen(struct ring *m, unsigned i)
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
	struct ring *m = shared;
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
 * I5  Every ticket in a W word is older than TAIL, and HEAD is not after TAIL.
 * I6  See ticket_ring_queue.h.
 * I8  A slot with a closing mark is FAST or RES.  LIMIT slots are neither
 *     closed nor marked, unless a resize is under way.
 */

static void init(void *shared, const struct shape *shape)
{
	struct ring *m = shared;

	/* The cells are zero, so ticket 0 must be older than every ticket. */
	mem_poke(&m->HEAD, cells_of(shape));
	mem_name(&m->HEAD, "HEAD");
	mem_poke(&m->TAIL, cells_of(shape));
	mem_name(&m->TAIL, "TAIL");
	mem_poke(&m->LOST, 0);
	mem_name(&m->LOST, "LOST");
	mem_poke(&m->CLEAN, 0);
	mem_name(&m->CLEAN, "CLEAN");
	mem_poke(&m->LIMIT, shape->k);
	mem_name(&m->LIMIT, "LIMIT");
	for (unsigned c = 0; c < cells_of(shape); c++) {
		mem_poke(cell_at(m, shape, c), 0);
		mem_name(cell_at(m, shape, c), "cell", c);
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
	struct ring *m = shared;
	uint64_t open = 0;

	for (unsigned i = 0; i < shape_slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		if (x != FREE && x != CLOSED)
			return false;
		open += x == FREE;
	}
	for (unsigned p = 0; p < shape->n; p++)
		if (mem_peek(W_at(m, shape, p)) != IDLE)
			return false;
	return mem_peek(&m->HEAD) == mem_peek(&m->TAIL) &&
	       open == mem_peek(&m->LIMIT) && open == shape->k;
}

/* Checks I1 for process p, which is inside with slot i. */
static bool is_held(struct ring *m, const struct shape *shape, unsigned p,
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
static bool is_fast_once(struct ring *m, const struct shape *shape,
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
static bool is_backed(struct ring *m, const struct shape *shape, unsigned p,
		      uint64_t w)
{
	uint64_t x;

	if (kind_of(w) == IDLE)
		return true;
	if (after(ticket_of(w), mem_peek(&m->TAIL)) >= 0)
		return false;
	if (kind_of(w) != GRANT)
		return true;
	if (slot_of(w) >= shape_slots(shape))
		return false;
	x = mem_peek(slot_at(m, slot_of(w)));
	return kind_of(x) == RES && id_of(x) == p && is_taken(x, slot_of(w), w);
}

/* Checks I6 for process p, which waits and whose W word is w. */
static bool is_in_queue(struct ring *m, const struct shape *shape, unsigned p,
			uint64_t w)
{
	uint64_t h = mem_peek(&m->HEAD), t = ticket_of(w);

	if (after(mem_peek(&m->TAIL), h) <= 0)
		return false;
	if (may_be_lost(mem_peek(&m->LOST)))
		return true;
	return kind_of(w) == WAIT && after(t, h) >= 0 &&
	       mem_peek(cell_at(m, shape, t)) == cell_word(t, p);
}

/* Checks I8.  A process may have died during a resize; then the number of open
 * slots may be wrong until the next resizer repeats the work. */
static bool is_as_limited(struct ring *m, const struct shape *shape,
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
	struct ring *m = shared;

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
		if (phase == PHASE_WAITING && is_waiting(w) &&
		    !is_in_queue(m, shape, p, w))
			return false;
	}
	return after(mem_peek(&m->TAIL), mem_peek(&m->HEAD)) >= 0 &&
	       is_as_limited(m, shape, all);
}

static int holder(void *shared, const struct shape *shape, unsigned slot)
{
	struct ring *m = shared;
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
 * The rank is the distance of the waiter's ticket from a reference point.  This
 * point lies before TAIL, by about half the range of all tickets.  It moves
 * only rarely, so an observer can compare ranks that it reads one after the
 * other.
 */
static uint64_t rank(void *shared, const struct shape *shape, unsigned id)
{
	struct ring *m = shared;
	const uint64_t quarter = UINT64_C(1) << (STAMP_BITS - 2);
	uint64_t w, from;

	if (id >= shape->n)
		return 0;
	w = mem_peek(W_at(m, shape, id));
	if (!is_waiting(w))
		return 0;
	from = (mem_peek(&m->TAIL) & ~(quarter - 1)) - 2 * quarter;
	return ((ticket_of(w) - from) & (4 * quarter - 1)) + 1;
}

/* Bounds. */

/* Counts the steps of the rounds.  A round makes at most 6 steps in find; T6,
 * T6D and T1, or T6 to T3 with a second T7 and T3; and Q1.  A round that reads
 * all W words makes n + 3 steps more; it counts as n more rounds. */
static unsigned round_steps(const struct shape *shape)
{
	return 12 * ((unsigned)most_rounds(shape) + shape->n + 1);
}

/* Counts L1, L1C, L1r, L1, T4h and T4; the rounds; T4C, T4D, T9h, T9c, T9. */
static unsigned leave_steps(const struct shape *shape)
{
	return 11 + round_steps(shape);
}

/* Counts E1h, E1, and E2r and E2 for every slot; D1 to D6 and J0 to J3 for each
 * ticket; D5, J1, J2; C1 to C3. */
static unsigned doorway_steps(const struct shape *shape)
{
	return 2 + 2 * shape_slots(shape) + DRAWS * 9 + 3 + 3;
}

/* Counts A1, A2 and L2 or A3, and then as leave_steps. */
static unsigned abort_steps(const struct shape *shape)
{
	return 3 + leave_steps(shape);
}

/* A process that runs alone hands over each slot twice, the second time after a
 * nap. */
static unsigned solo_steps(const struct shape *shape)
{
	return 2 * shape_slots(shape) * (4 + leave_steps(shape));
}

const struct algorithm ticket_ring = {
	.name = "ticket-ring",
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
	.init = init,
	.quiet = quiet, .invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .depart = depart,
	.abort = give_up,
	.recover = recover, .resize = resize,
	.holder = holder, .rank = rank,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { NULL, "2 if no process waits" },
		.rmr_dsm = { NULL, "6 if no process waits" },
	},
};
