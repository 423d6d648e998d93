/* SPDX-License-Identifier: BSD-2-Clause */
#include "monitors.h"

#include "explanations.h"

unsigned monitors_asked(void)
{
	const unsigned of_wakes = NO_LOST_WAKE | PROMPT_WAKE;

	return program.asked & (machine_wakes ? of_wakes : ~of_wakes);
}

static bool asks(unsigned properties)
{
	return monitors_asked() & properties;
}

static bool is_in(const struct state *s, unsigned p, enum phase phase)
{
	return s->member[p].phase == phase;
}

static bool is_outside(const struct state *s, unsigned p)
{
	return !is_in(s, p, PHASE_REMAINDER);
}

static bool is_group(void)
{
	return program.kind == KIND_GROUP_EXCLUSION;
}

static bool same_session(const struct state *s, unsigned p, unsigned q)
{
	return !is_group() || s->member[p].session == s->member[q].session;
}

static unsigned largest_k(void)
{
	unsigned k = program.k;

	for (unsigned i = 0; i < program.resizes; i++)
		if (program.resize[i] > k)
			k = program.resize[i];
	return k;
}

static unsigned smallest_k(void)
{
	unsigned k = program.k;

	for (unsigned i = 0; i < program.resizes; i++)
		if (program.resize[i] < k)
			k = program.resize[i];
	return k;
}

static bool remembers_order(void)
{
	return asks(FCFS | K_FCFS | FIFE | BOUNDED_BYPASS |
		    STRONG_CONCURRENT_ENTERING);
}

static void stops_waiting(struct state *s, unsigned p)
{
	s->since[p] = s->bypassed[p] = s->overtaken[p] = 0;
}

static void forget(struct state *s, unsigned p)
{
	for (unsigned q = 0; q < program.n; q++)
		s->since[q] &= ~(UINT64_C(1) << p);
}

/* When p enters: check the properties of the processes that are inside. */
static unsigned check_inside(const struct state *s, unsigned p)
{
	int slot = (int)s->member[p].slot;
	unsigned inside = 0, refused = 0;

	for (unsigned q = 0; q < program.n; q++) {
		if (!is_in(s, q, PHASE_INSIDE))
			continue;
		inside++;
		if (q == p)
			continue;
		if (!same_session(s, p, q))
			refused |= SESSION_EXCLUSION;
		if ((int)s->member[q].slot == slot)
			refused |= UNIQUE_SLOTS;
	}
	if (program.k && inside > s->limit)
		refused |= AT_MOST_K;
	if (slot < 0 || (program.k && slot >= (int)largest_k()))
		refused |= UNIQUE_SLOTS;
	return refused;
}

/* When p enters: check the properties of the order of entering. */
static unsigned check_order(struct state *s, unsigned p, unsigned *judged)
{
	unsigned all = 0, conflicting = 0, refused = 0;

	for (unsigned q = 0; q < program.n; q++) {
		bool conflict = !is_group() || !same_session(s, p, q);

		if (!is_in(s, q, PHASE_WAITING) || !(s->since[q] >> p & 1))
			continue;
		all++;
		conflicting += conflict;
		if (asks(BOUNDED_BYPASS) && conflict &&
		    ++s->bypassed[q] > program.most_bypasses)
			refused |= BOUNDED_BYPASS;
		if (asks(FIFE) && !s->shrinking && same_session(s, p, q)) {
			s->overtaken[q] = 1;
			*judged |= 1u << q;
		}
	}
	if (conflicting)
		refused |= FCFS;
	if (program.k && all >= s->limit)
		refused |= K_FCFS;
	return refused;
}

static void follow_k(const struct state *before, struct state *s)
{
	const unsigned resizer = program.n - 1;
	unsigned was = program.resizes -
		       (unsigned)before->member[resizer].passages;
	unsigned begun = program.resizes -
			 (unsigned)s->member[resizer].passages;
	bool all_idle = true;

	if (begun != was) {
		if (machine_k(begun) > s->limit)
			s->limit = machine_k(begun);
		if (machine_k(begun) < machine_k(was)) {
			s->shrinking = 1;
			for (unsigned q = 0; q < program.n; q++)
				s->overtaken[q] = 0;
		}
	}
	for (unsigned q = 0; q < program.n; q++)
		all_idle &= !is_outside(s, q);
	if (all_idle) {
		s->limit = machine_k(begun);
		s->shrinking = 0;
	}
}

unsigned monitors_observe(const struct state *before, struct state *after,
			  unsigned p, const struct events *e, unsigned *judged)
{
	unsigned refused = e->refused;
	bool changed = before->member[p].phase != after->member[p].phase;

	*judged = 0;
	if (program.resizes)
		follow_k(before, after);
	if (program.code[BODY_APPLY].exists &&
	    !explanations_follow(after, p, e))
		refused |= LINEARIZABLE;
	if (changed && remembers_order() && is_in(before, p, PHASE_REMAINDER) &&
	    !is_in(after, p, PHASE_RESIZING))
		for (unsigned q = 0; q < program.n; q++)
			if (q != p && is_in(after, q, PHASE_WAITING))
				after->since[q] |= UINT64_C(1) << p;
	if (changed && is_in(after, p, PHASE_INSIDE) &&
	    program.code[BODY_LEAVE].exists) {
		refused |= check_inside(after, p);
		if (remembers_order())
			refused |= check_order(after, p, judged);
		/* Strong concurrent entering also depends on the arrival of
		 * processes that are inside. */
		if (!asks(STRONG_CONCURRENT_ENTERING))
			forget(after, p);
	}
	if (is_in(after, p, PHASE_REMAINDER) || is_in(after, p, PHASE_DEAD))
		forget(after, p);
	if (!is_in(after, p, PHASE_WAITING))
		stops_waiting(after, p);
	return refused & monitors_asked();
}

/* Whether fewer than k other processes of the session of p are outside their
 * remainders, so that p does not wait for a slot. */
static bool has_room(const struct state *s, unsigned p)
{
	unsigned others = 0;

	for (unsigned q = 0; q < program.n; q++)
		others += q != p && is_outside(s, q) && same_session(s, p, q);
	return !program.k || others < smallest_k();
}

static unsigned check_sessions(const struct state *s, unsigned p)
{
	bool alone = true, first = true;
	unsigned refused = 0;

	if (!is_group() || !has_room(s, p))
		return 0;
	for (unsigned q = 0; q < program.n; q++) {
		if (!is_outside(s, q) || same_session(s, p, q))
			continue;
		alone = false;
		first &= s->since[p] >> q & 1;
	}
	if (alone)
		refused |= CONCURRENT_ENTERING;
	if (first && is_in(s, p, PHASE_WAITING))
		refused |= STRONG_CONCURRENT_ENTERING;
	return refused;
}

static bool is_alone(const struct state *s, unsigned p)
{
	for (unsigned q = 0; q < program.n; q++)
		if (is_outside(s, q) && !same_session(s, p, q))
			return false;
	return true;
}

bool monitors_must_enter(const struct state *s, unsigned p)
{
	return (is_in(s, p, PHASE_DOORWAY) || is_in(s, p, PHASE_WAITING)) &&
	       is_alone(s, p) && has_room(s, p);
}

bool monitors_is_below_k(const struct state *s, unsigned p)
{
	unsigned others = 0;

	for (unsigned q = 0; q < program.n; q++)
		others += q != p && is_outside(s, q);
	return program.k && others < smallest_k();
}

static unsigned check_blocked(const struct state *s, unsigned p, bool naps)
{
	switch ((enum phase)s->member[p].phase) {
	case PHASE_DOORWAY:
		return BOUNDED_DOORWAY | check_sessions(s, p);
	case PHASE_WAITING:
		return (s->overtaken[p] && !naps ? FIFE : 0) |
		       check_sessions(s, p);
	case PHASE_LEAVING:
		return BOUNDED_LEAVE;
	case PHASE_ABORTING:
		return BOUNDED_ABORT;
	case PHASE_INSIDE:
		return BOUNDED_APPLY;
	default:
		return 0;
	}
}

static bool is_quiet(const struct state *s)
{
	return s->word[program.quiet_word] == program.quiet_value;
}

static bool keeps_invariant(const struct state *s)
{
	return !(s->word[program.invariant_word] == program.invariant_value &&
		 s->member[0].phase == program.invariant_phase);
}

/* Check the properties that say that p does not wait for ever, or not at all.
 * `active` is the number of enabled processes, and `staying` says how many of
 * them are inside. */
static unsigned check_waiting(const struct state *s, unsigned p,
			      unsigned active, unsigned staying)
{
	unsigned refused = 0;

	if (is_in(s, p, PHASE_LEAVING) && active <= program.crashes)
		refused |= EXIT_TERMINATION;
	if (monitors_must_enter(s, p) && active <= program.crashes + staying)
		refused |= CONCURRENT_OCCUPANCY;
	if (monitors_is_below_k(s, p))
		refused |= NO_WAIT_BELOW_K;
	return refused;
}

unsigned monitors_refused(const struct state *s, unsigned enabled,
			  unsigned nappers)
{
	unsigned outside = 0, active = 0, staying = 0, refused = 0;

	for (unsigned p = 0; p < program.n; p++) {
		if (!is_outside(s, p))
			continue;
		outside++;
		if (enabled >> p & 1)
			active++;
		else
			refused |= check_blocked(s, p, nappers >> p & 1);
		if ((enabled >> p & 1) && is_in(s, p, PHASE_INSIDE))
			staying++;
	}
	for (unsigned p = 0; p < program.n; p++)
		if (is_outside(s, p) && !(enabled >> p & 1))
			refused |= check_waiting(s, p, active, staying);
	if (outside > active && active == 0)
		refused |= NO_DEADLOCK | NO_LOST_WAKE;
	if (outside > active && active <= program.crashes)
		refused |= NO_STARVATION;
	if (outside == 0 && !is_quiet(s))
		refused |= QUIESCENCE;
	if (!keeps_invariant(s))
		refused |= INVARIANT;
	return refused & monitors_asked();
}
