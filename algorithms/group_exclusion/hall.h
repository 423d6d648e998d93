/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the code of hall and hall-atomic, which differ only in `propagate`:
 * it brings ROOT up to date after the W word of a process has changed.  The
 * including file defines it, and propagate_steps.
 *
 * S has three modes.  In mode OPEN the session of the hall can be joined.  In
 * mode DRAIN no process can enter, and the oldest waiter, which has another
 * session, gets the hall when it is empty.  In mode ADMIT(q) the waiter q is
 * being let in.
 *
 * Letting in q takes three compare-and-swaps: S becomes ADMIT(q), W[q] becomes
 * IN, and S becomes OPEN, with a reference to the record of q.  Every process
 * can finish what another has begun.  As long as W[q] is WAIT, S stays
 * ADMIT(q); so a late second compare-and-swap does no harm.
 *
 * Duty.  A process that changed S last, that ended a presence in mode DRAIN, or
 * that made an entry of the tree stale has the duty to look again.  A process
 * that loses a compare-and-swap on S leaves the duty to the winner.
 */
#ifndef ATMOST_HALL_H
#define ATMOST_HALL_H

#include "hall_words.h"

static void propagate(struct hall *m, const struct process *self, unsigned q);
static unsigned propagate_steps(const struct shape *shape);

/* The private values of a member: `seat` points at its W word, `hint` is the
 * seq of its last registration, and `keep` is the value of S with which the
 * member last took the short way, or 0.  The own word OWN_WAIT is what the
 * process wrote into W when it signed up, or 0 on the short way. */
enum { OWN_WAIT, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static void be_evicted(struct process *self)
{
	self->evicted = true;
	self->slot = -1;
	self->seat = NULL;
	mem_own_write(self, OWN_WAIT, 0);
}

static struct word *asked(struct hall *m, const struct shape *shape, unsigned p,
			  unsigned record)
{
	return &member_at(m, shape, p)->ASK[record];
}

/* Returns the word that has the session to which s refers. */
static struct word *session_of(struct hall *m, const struct shape *shape,
			       uint64_t s)
{
	return asked(m, shape, member_of(shape, s), record_of(s));
}

/* The gate. */

/* The role of a process that looks at the gate: a waiter (SCAN), a process that
 * has just been let in (ENTERED), a process that leaves or gives up (GOING), or
 * a recoverer (RECOVER). */
enum role { SCAN, ENTERED, GOING, RECOVER };

/* Stand for a value of S.  DONE: nothing is left to do, or another process must
 * do it.  LOST: another process has changed S. */
static const uint64_t DONE = 0, LOST = UINT64_MAX;

/* The value of S is s, which is ADMIT; W[q] is no longer WAIT.  Returns the value
 * of S to go on with, or LOST. */
static uint64_t open_gate(struct hall *m, const struct process *self, uint64_t s)
{
	bool ok;

T5:	ok = mem_cas(&m->S, s, following(s, OPEN, s));
	if (!ok)
		return LOST;
	/* The entry of the process that was let in has become stale. */
	propagate(m, self, member_of(self->shape, s));
	/* S must be read after the tree was refreshed: a process that changed S
	 * meanwhile may have met the stale entry and left the duty to us. */
T5r:	s = mem_read(&m->S);
	return mode_of(s) == ADMIT ? LOST : s;
}

/* T3 of another process, or T3 and T4 here: W[q] changes from WAIT to IN. */
static void let_in_and_wake(struct hall *m, const struct process *self,
			    unsigned q, uint64_t w)
{
	struct word *W = W_at(m, self->shape, q);
	bool ok;

T3:	ok = mem_cas(W, w, let_in(w));
	if (ok && q != self->id)
		mem_wake(W); /* T4 */
}

/* The value of S is s, which is ADMIT: finish what another process has begun. */
static uint64_t finish(struct hall *m, const struct process *self, uint64_t s)
{
	const unsigned q = member_of(self->shape, s);
	uint64_t w, again;

T2:	w = mem_read(W_at(m, self->shape, q));
	if (kind_of(w) == WAIT && w_record(w) == record_of(s)) {
		/* Without this read, w could belong to a later registration of
		 * q with the same record. */
T2B:		again = mem_read(&m->S);
		if (again != s)
			return LOST;
		let_in_and_wake(m, self, q, w);
	}
	return open_gate(m, self, s);
}

/*
 * Returns whether a process is present that must leave before session b can
 * have the hall.  A process on the short way that wants session b itself does
 * not count: it will find S changed, and sign up.
 */
static bool is_occupied(struct hall *m, const struct shape *shape, uint64_t b)
{
	uint64_t high, w, f;

C0:	high = mem_read(&m->HIGH);
	for (unsigned x = 0; x < high && x < shape->n; x++) {
C1:		w = mem_read(W_at(m, shape, x));
		if (kind_of(w) == IN)
			return true;
		if (kind_of(w) != FAST)
			continue;
C2:		f = mem_read(&member_at(m, shape, x)->FS);
		if (f != b)
			return true;
	}
	return false;
}

/* Let in q, whose W word is w.  Returns DONE, LOST, or the new value of S. */
static uint64_t admit(struct hall *m, const struct process *self,
		      enum role role, uint64_t s, unsigned q, uint64_t w)
{
	const uint64_t admitted = following(s, ADMIT, ref_to(q, w_record(w)));
	bool ok;

T9:	ok = mem_cas(&m->S, s, admitted);
	if (!ok)
		return LOST;
	let_in_and_wake(m, self, q, w);
	/* q opens the gate, even if it gives up meanwhile. */
	return role == ENTERED || role == GOING ? DONE : admitted;
}

/*
 * The oldest waiter q wants session b, which is not the session of the hall.
 * Close the gate, and let q in if the hall is empty.
 */
static uint64_t change_session(struct hall *m, const struct process *self,
			       enum role role, uint64_t s, unsigned q,
			       uint64_t w, uint64_t b)
{
	uint64_t again;
	bool ok;

	if (mode_of(s) == OPEN) {
T10:		ok = mem_cas(&m->S, s, following(s, DRAIN, s));
		if (!ok)
			return LOST;
		s = following(s, DRAIN, s);
		/* The request of q may have ended before T10. */
T11:		again = mem_read(W_at(m, self->shape, q));
		if (again != w)
			return s;
	}
	/* A process that has just entered is present itself, and hands over when
	 * it leaves. */
	if (role == ENTERED || is_occupied(m, self->shape, b))
		return DONE;
	return admit(m, self, role, s, q, w);
}

/*
 * Do what is to be done at the gate, where S has the value s: let in the oldest
 * waiter if it may enter.  Returns DONE, LOST, or the value of S to go on with.
 */
static uint64_t attend(struct hall *m, const struct process *self,
		       enum role role, uint64_t s)
{
	const struct shape *shape = self->shape;
	uint64_t r, w = IDLE, a, b;
	unsigned q;

	if (mode_of(s) == ADMIT)
		return finish(m, self, s);
T6:	r = mem_read(&m->ROOT);
	if (is_empty(r))
		return DONE;
	q = named(r);
	if (q < shape->n)
T7:		w = mem_read(W_at(m, shape, q));
	if (!is_fresh(r, q, w)) {
		/* The process that made the entry stale has the duty to refresh
		 * the tree and then to look at S. */
		if (role == ENTERED || role == GOING)
			return DONE;
		propagate(m, self, q < shape->n ? q : 0);
		return LOST;
	}
T8:	a = mem_read(session_of(m, shape, s));
T8q:	b = mem_read(asked(m, shape, q, w_record(w)));
	if (a == b)
		return admit(m, self, role, s, q, w);
	return change_session(m, self, role, s, q, w, b);
}

static void go_on(struct hall *m, const struct process *self, enum role role,
		  uint64_t s)
{
	while (s != DONE && s != LOST)
		s = attend(m, self, role, s);
}

/* Entering. */

/* E0: the first passage of a member. */
static void take_seat(struct hall *m, struct process *self)
{
	const unsigned high = high_for(self->shape, self->id);
	struct word *W = W_at(m, self->shape, self->id);
	uint64_t w, seen = 0;
	bool ok = self->id < FIRST_HIGH;

E0:	w = mem_read(W);
	/* E0C can fail only if another member raises HIGH meanwhile. */
	while (!ok) {
E0h:		seen = mem_read(&m->HIGH);
		if (seen >= high)
			break;
E0C:		ok = mem_cas(&m->HIGH, seen, high);
	}
	self->hint = (unsigned)(w & SEQ) >> SEQ_AT;
	self->seat = W;
}

/* Sign up.  s is a value that S had during this passage; w is the value of W. */
static void sign_up(struct hall *m, struct process *self, uint64_t s, uint64_t w)
{
	const unsigned record = refers_to(s, self->id, 0);
	const unsigned seq = (self->hint + 1) & 3;
	uint64_t t;
	bool ok;

D1:	mem_write(asked(m, self->shape, self->id, record), self->session);
D2:	t = mem_add(&m->TOKEN, 1);
	mem_own_write(self, OWN_WAIT, wait_word(seq, record, t));
D3:	ok = mem_cas(self->seat, w, mem_own_read(self, OWN_WAIT));
	if (!ok) {
		be_evicted(self);
		return;
	}
	self->hint = seq;
	propagate(m, self, self->id);
}

/* The rest of the doorway; E1 and E2 have read s and r. */
__attribute__((noinline))
static bool enter_slowly(struct hall *m, struct process *self, uint64_t s,
			 uint64_t r)
{
	struct member *me = member_at(m, self->shape, self->id);
	uint64_t a = 0, f, again;
	bool ok;

	if (self->evicted)
		return false;
	self->keep = 0;
	if (!self->seat)
		take_seat(m, self);
	if (is_empty(r) && mode_of(s) == OPEN)
T8:		a = mem_read(session_of(m, self->shape, s));
	if (a != self->session) {
		sign_up(m, self, s, self->hint << SEQ_AT);
		return false;
	}
E2f:	f = mem_read(&me->FS);
	if (f != self->session)
E2w:		mem_write(&me->FS, self->session);
E3:	ok = mem_cas(self->seat, self->hint << SEQ_AT,
		     fast_word(self->hint, self->badge));
	if (!ok) {
		be_evicted(self);
		return false;
	}
E4:	again = mem_read(&m->S);
	if (again == s) {
		self->keep = s;
		self->slot = (int)self->id;
		return true;
	}
	sign_up(m, self, s, fast_word(self->hint, self->badge));
	return false;
}

/* The short way did not end inside: S has changed since E1, or W has. */
__attribute__((noinline))
static bool enter_late(struct hall *m, struct process *self, uint64_t s, bool ok)
{
	self->keep = 0;
	if (ok)
		sign_up(m, self, s, fast_word(self->hint, self->badge));
	else
		be_evicted(self);
	return false;
}

/* This function contains only the short way of a member that took the short way
 * before, with the same session and the same value of S. */
static bool doorway(void *shared, struct process *self)
{
	struct hall *m = shared;
	uint64_t s, r, f, again = 0;
	bool ok;

E1:	s = mem_read(&m->S);
E2:	r = mem_read(&m->ROOT);
	if (!is_empty(r) || s != self->keep || !self->seat)
		return enter_slowly(m, self, s, r);
	/* W is the first word of the member. */
E2f:	f = mem_read(&((struct member *)(void *)self->seat)->FS);
	if (f != self->session)
		return enter_slowly(m, self, s, r);
E3:	ok = mem_cas(self->seat, self->hint << SEQ_AT,
		     fast_word(self->hint, self->badge));
	if (ok)
E4:		again = mem_read(&m->S);
	if (again != s)
		return enter_late(m, self, s, ok);
	self->slot = (int)self->id;
	return true;
}

/* We have been let in, and S has the value s. */
static bool be_inside(struct hall *m, struct process *self, uint64_t s)
{
	uint64_t w = mem_own_read(self, OWN_WAIT);

	if (mode_of(s) == ADMIT)
		s = refers_to(s, self->id, w_record(w)) ? open_gate(m, self, s)
							: DONE;
	go_on(m, self, ENTERED, s);
	self->slot = (int)self->id;
	return true;
}

/* Our word w is neither WAIT nor IN. */
static bool is_evicted(struct process *self)
{
	be_evicted(self);
	return true;
}

static bool is_admitted(const struct process *self, uint64_t s, uint64_t w)
{
	return mode_of(s) == ADMIT && refers_to(s, self->id, w_record(w));
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct hall *m = shared;
	const uint64_t mine = mem_own_read(self, OWN_WAIT);
	uint64_t w, s;

	if (self->evicted)
		return true;
S0:	w = mem_read(self->seat);
	if (w != mine && w != let_in(mine))
		return is_evicted(self);
	if (w != mine) {
		/* We look at the gate even if another process has let us in: in
		 * an earlier pass we may have changed S, and so have the duty
		 * to look again. */
G1:		s = mem_read(&m->S);
		return be_inside(m, self, s);
	}
T1:	s = mem_read(&m->S);
	if (is_admitted(self, s, mine)) {
		/* After T3s W is IN: if T3s fails, another process has let us
		 * in. */
T3s:		(void)mem_cas(self->seat, mine, let_in(mine));
		return be_inside(m, self, s);
	}
	s = attend(m, self, SCAN, s);
	if (s != LOST && is_admitted(self, s, mine))
		return be_inside(m, self, s);
	if (s == DONE)
		wait_for_change(wait, self->seat, mine);
	return false;
}

/* Leaving, giving up, recovering. */

/* The hall may be empty now, or the entry of a process may have changed. */
__attribute__((noinline))
static int hand_over(struct hall *m, struct process *self, uint64_t s)
{
	go_on(m, self, GOING, s);
	return 0;
}

static int depart(void *shared, struct process *self)
{
	struct hall *m = shared;
	const uint64_t mine = mem_own_read(self, OWN_WAIT);
	uint64_t s;
	bool ok = false;

	if (self->seat)
L1:		ok = mem_cas(self->seat,
			     mine ? let_in(mine)
				  : fast_word(self->hint, self->badge),
			     self->hint << SEQ_AT);
	if (!ok) {
		be_evicted(self);
		return EVICTED;
	}
	mem_own_write(self, OWN_WAIT, 0);
L2:	s = mem_read(&m->S);
	return mode_of(s) == DRAIN ? hand_over(m, self, s) : 0;
}

static void leave(void *shared, struct process *self)
{
	(void)depart(shared, self);
}

/*
 * The registration of p has ended without an admission.  Change S, so that a
 * process that still means to let p in fails.  Returns the value of S with
 * which the caller must go on, or LOST.
 */
static uint64_t withdraw(struct hall *m, unsigned p, unsigned record)
{
	uint64_t s;
	bool ok = false;

B1:	s = mem_read(&m->S);
	if (mode_of(s) != ADMIT) {
B2:		ok = mem_cas(&m->S, s, following(s, mode_of(s), s));
		if (ok)
			return following(s, mode_of(s), s);
B3:		s = mem_read(&m->S);
	}
	/* If S says that p is being let in, p must open the gate. */
	return mode_of(s) == ADMIT && refers_to(s, p, record) ? s : LOST;
}

static void give_up(void *shared, struct process *self)
{
	struct hall *m = shared;
	const uint64_t mine = mem_own_read(self, OWN_WAIT);
	uint64_t s;
	bool ok;

	if (self->evicted)
		return;
A1:	ok = mem_cas(self->seat, mine, idle_word(mine));
	if (ok) {
		mem_own_write(self, OWN_WAIT, 0);
		propagate(m, self, self->id);
		s = withdraw(m, self->id, w_record(mine));
		go_on(m, self, GOING, s);
		return;
	}
	/* We have been let in meanwhile. */
A1L:	ok = mem_cas(self->seat, let_in(mine), idle_word(mine));
	mem_own_write(self, OWN_WAIT, 0);
	if (!ok) {
		be_evicted(self);
		return;
	}
A2:	s = mem_read(&m->S);
	go_on(m, self, GOING, s);
}

static void recover(void *shared, struct process *victim)
{
	struct hall *m = shared;
	struct word *W = W_at(m, victim->shape, victim->id);
	uint64_t w, s, high;
	bool ok;

	/* V3 fails if another process lets the dead member in meanwhile. */
	do {
V1:		w = mem_read(W);
		if (kind_of(w) == IDLE)
			break;
V3:		ok = mem_cas(W, w, idle_word(w));
	} while (!ok);
	propagate(m, victim, victim->id);
	(void)withdraw(m, victim->id, 0);
	do {
V4:		s = mem_read(&m->S);
		s = attend(m, victim, RECOVER, s);
	} while (s != DONE);
	/* The dead member may have died between T3 and T4. */
V5h:	high = mem_read(&m->HIGH);
	for (unsigned q = 0; q < high && q < victim->shape->n; q++) {
V5:		w = mem_read(W_at(m, victim->shape, q));
		if (kind_of(w) == IN)
			mem_wake(W_at(m, victim->shape, q));
	}
}

/*
 * Initial state, quiescence, invariant, and functions for observers.
 *
 * I1  If p is inside, W[p] is FAST or IN, and S refers to p's session.
 * I2  If W[p] is IN, S refers to the session that p asked for.
 * I3  If W[p] is WAIT and S refers to p's record, S is ADMIT.
 * I4  If p is in its remainder, W[p] is IDLE.
 * I6  See hall_tree.h.
 * I7  If p waits, its record has its session.
 */

static void init(void *shared, const struct shape *shape)
{
	struct hall *m = shared;

	mem_poke(&m->S, following(0, OPEN, ref_to(0, 0)));
	mem_name(&m->S, "S");
	mem_poke(&m->ROOT, 0);
	mem_name(&m->ROOT, "ROOT");
	mem_poke(&m->TOKEN, 1);
	mem_name(&m->TOKEN, "TOKEN");
	mem_poke(&m->HIGH, high_for(shape, 0));
	mem_name(&m->HIGH, "HIGH");
	for (unsigned g = 0; g < group_count(shape); g++)
		for (unsigned i = 0; i < ARITY; i++) {
			mem_poke(&group_at(m, g)[i], 0);
			mem_name(&group_at(m, g)[i], "node", g, i);
		}
	for (unsigned p = 0; p < shape->n; p++) {
		struct member *member = member_at(m, shape, p);

		mem_poke(&member->W, IDLE);
		mem_name(&member->W, "W", p);
		mem_place(&member->W, p);
		mem_poke(&member->FS, 0);
		mem_name(&member->FS, "FS", p);
		mem_place(&member->FS, p);
		for (unsigned i = 0; i < 2; i++) {
			mem_poke(&member->ASK[i], 0);
			mem_name(&member->ASK[i], "ASK", p, i);
			mem_place(&member->ASK[i], p);
		}
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct hall *m = shared;

	for (unsigned p = 0; p < shape->n; p++)
		if (kind_of(mem_peek(W_at(m, shape, p))) != IDLE)
			return false;
	for (unsigned g = 0; g < group_count(shape); g++)
		for (unsigned i = 0; i < ARITY; i++)
			if (!is_empty(mem_peek(&group_at(m, g)[i])))
				return false;
	return is_empty(mem_peek(&m->ROOT)) &&
	       mode_of(mem_peek(&m->S)) != ADMIT;
}

/* Checks I6 for a process that waits and whose W word is w. */
static bool is_behind_root(struct hall *m, const struct shape *shape, uint64_t w)
{
	uint64_t r = mem_peek(&m->ROOT), first;
	unsigned q = named(r);

	if (q >= shape->n)
		return false;
	first = mem_peek(W_at(m, shape, q));
	return !is_fresh(r, q, first) || first == w ||
	       older(token_of(first), token_of(w));
}

/* Checks I2 and I3 for process p, whose W word is w.  `session` is the session
 * to which s, the value of S, refers. */
static bool is_consistent(struct hall *m, const struct shape *shape, unsigned p,
			  uint64_t w, uint64_t s, uint64_t session)
{
	if (kind_of(w) == IN)
		return mem_peek(asked(m, shape, p, w_record(w))) == session;
	return kind_of(w) != WAIT || mode_of(s) == ADMIT ||
	       !refers_to(s, p, w_record(w));
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct hall *m = shared;
	const uint64_t s = mem_peek(&m->S);
	const uint64_t session = mem_peek(session_of(m, shape, s));

	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t w = mem_peek(W_at(m, shape, p));
		enum phase phase = all[p].phase;

		if (!is_consistent(m, shape, p, w, s, session))
			return false;
		if (phase == PHASE_INSIDE &&
		    ((kind_of(w) != FAST && kind_of(w) != IN) ||
		     all[p].session != session))
			return false;
		if (phase == PHASE_REMAINDER && kind_of(w) != IDLE)
			return false;
		if (phase == PHASE_WAITING && kind_of(w) == WAIT &&
		    (!is_behind_root(m, shape, w) ||
		     mem_peek(asked(m, shape, p, w_record(w))) !=
			     all[p].session))
			return false;
	}
	return true;
}

static int holder(void *shared, const struct shape *shape, unsigned slot)
{
	struct hall *m = shared;
	unsigned kind;

	if (slot >= shape->n || slot >= mem_peek(&m->HIGH))
		return -1;
	kind = kind_of(mem_peek(W_at(m, shape, slot)));
	return kind == FAST || kind == IN ? (int)slot : -1;
}

/* The distance of the waiter's token from a reference point that moves only
 * rarely, as in roster. */
static uint64_t rank(void *shared, const struct shape *shape, unsigned id)
{
	struct hall *m = shared;
	const uint64_t quarter = UINT64_C(1) << (STAMP_BITS - 2);
	uint64_t w, from;

	if (id >= shape->n || id >= mem_peek(&m->HIGH))
		return 0;
	w = mem_peek(W_at(m, shape, id));
	if (kind_of(w) != WAIT)
		return 0;
	from = (mem_peek(&m->TOKEN) & ~(quarter - 1)) - 2 * quarter;
	return ((token_of(w) - from) & (4 * quarter - 1)) + 1;
}

/* Bounds. */

/* E0h and E0C are repeated only if HIGH grows, and it doubles each time. */
static unsigned seat_steps(const struct shape *shape)
{
	unsigned steps = 1;

	for (unsigned high = FIRST_HIGH; high < shape->n; high *= 2)
		steps += 2;
	return steps;
}

/* Counts E1 to E4, T8 and D1 to D3, with both readings of FS. */
static unsigned doorway_steps(const struct shape *shape)
{
	return 11 + seat_steps(shape) + propagate_steps(shape);
}

/* Counts one pass over the gate in mode DRAIN: T6 to T8q, the scan, T9 and
 * T3. */
static unsigned scan_steps(const struct shape *shape)
{
	return 4 + 1 + 2 * shape->n + 2;
}

static unsigned leave_steps(const struct shape *shape)
{
	return 2 + scan_steps(shape);
}

/* Counts A1 and A1L, B1 to B3, the gate that is opened by this process (T2, T5,
 * T5r), T6 to T11, and the scan. */
static unsigned abort_steps(const struct shape *shape)
{
	return 5 + 4 + 6 + scan_steps(shape) + 2 * propagate_steps(shape);
}

/* A process that runs alone removes the stale entry of every other process,
 * lets in every other process and then itself. */
static unsigned solo_steps(const struct shape *shape)
{
	return 2 * (shape->n + 1) *
	       (16 + scan_steps(shape) + propagate_steps(shape));
}

#endif
