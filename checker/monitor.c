/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/monitor.h"

#include "checker/history.h"

static bool remembers_order(const struct world *w)
{
	return w->asked & (FCFS | K_FCFS | FIFE | BOUNDED_BYPASS |
			   STRONG_CONCURRENT_ENTERING);
}

static bool is_group(void)
{
	return sim.algorithm->kind == KIND_GROUP_EXCLUSION;
}

static bool same_session(const struct world *w, unsigned p, unsigned q)
{
	return !is_group() || w->current[p]->session == w->current[q]->session;
}

static bool has_bit(uint64_t set, unsigned p)
{
	return set >> p & 1;
}

static void forget_waiting(struct world *w, unsigned p)
{
	w->monitor.after[p] = 0;
	w->monitor.bypassed[p] = 0;
	w->monitor.overtaken &= ~(UINT64_C(1) << p);
}

static void forget_process(struct world *w, unsigned p)
{
	for (unsigned q = 0; q < w->n; q++)
		w->monitor.after[q] &= ~(UINT64_C(1) << p);
	forget_waiting(w, p);
}

/* The waiters that p overtook by entering: each of them had finished its
 * doorway before p began its own. */
static uint64_t overtaken_by(const struct world *w, unsigned p)
{
	uint64_t set = 0;

	for (unsigned q = 0; q < w->n; q++)
		if (world_phase(w, q) == PHASE_WAITING &&
		    has_bit(w->monitor.after[q], p))
			set |= UINT64_C(1) << q;
	return set;
}

static bool conflict(const struct world *w, unsigned p, unsigned q)
{
	return !is_group() || !same_session(w, p, q);
}

/* Process p has overtaken these waiters by entering: count this bypass for each
 * waiter that conflicts with p, and check the bound. */
static unsigned check_bypasses(struct world *w, unsigned p, uint64_t overtaken)
{
	unsigned most = sim.algorithm->bounds.most_bypasses(&sim.shape),
		 refused = 0;

	for (unsigned q = 0; q < w->n; q++)
		if (has_bit(overtaken, q) && conflict(w, p, q) &&
		    ++w->monitor.bypassed[q] > most)
			refused = BOUNDED_BYPASS;
	return refused;
}

static unsigned check_order(const struct world *w, unsigned p,
			    uint64_t overtaken)
{
	unsigned count = 0, conflicting = 0, refused = 0;

	for (unsigned q = 0; q < w->n; q++) {
		if (!has_bit(overtaken, q))
			continue;
		count++;
		conflicting += conflict(w, p, q);
	}
	if (conflicting)
		refused |= FCFS;
	if (count >= w->monitor.limit && sim.shape.k)
		refused |= K_FCFS;
	return refused;
}

static unsigned check_exclusion(const struct world *w, unsigned p)
{
	unsigned inside = 0, refused = 0;
	unsigned slots = shape_slots(&sim.shape);

	for (unsigned q = 0; q < w->n; q++) {
		if (world_phase(w, q) != PHASE_INSIDE)
			continue;
		inside++;
		if (!same_session(w, p, q))
			refused |= SESSION_EXCLUSION;
		if (q != p && w->current[q]->slot == w->current[p]->slot)
			refused |= UNIQUE_SLOTS;
	}
	if (w->current[p]->slot < 0 ||
	    (slots && w->current[p]->slot >= (int)slots))
		refused |= UNIQUE_SLOTS;
	if (sim.shape.k && inside > w->monitor.limit)
		refused |= AT_MOST_K;
	return refused;
}

unsigned monitor_too_long(const struct world *w, unsigned p)
{
	switch ((enum phase)w->current[p]->overrun) {
	case PHASE_DOORWAY:
		return BOUNDED_DOORWAY;
	case PHASE_LEAVING:
		return BOUNDED_LEAVE;
	case PHASE_ABORTING:
		return BOUNDED_ABORT;
	case PHASE_INSIDE:
	case PHASE_RECOVERING:
		return BOUNDED_APPLY;
	default:
		return 0;
	}
}

/* Process p has entered: its token must be larger than the token of every
 * process that entered the slot before.  Then a resource that has seen p
 * refuses those processes. */
static unsigned check_fence(struct world *w, unsigned p)
{
	uint64_t token = w->current[p]->token;
	uint64_t *largest = &w->monitor.fence[(unsigned)w->current[p]->slot %
					      MAX_EXHAUSTIVE_N];

	if (token <= *largest)
		return FENCED;
	*largest = token;
	return 0;
}

static unsigned entered(struct world *w, unsigned p, uint32_t *overtaken)
{
	unsigned refused = check_exclusion(w, p);

	if (w->asked & FENCED)
		refused |= check_fence(w, p);

	if (remembers_order(w)) {
		uint64_t set = overtaken_by(w, p);

		refused |= check_order(w, p, set);
		if (w->asked & BOUNDED_BYPASS)
			refused |= check_bypasses(w, p, set);
		/* After k has shrunk, an overtaken process may be blocked
		 * because there are fewer slots. */
		if ((w->asked & FIFE) && !w->monitor.shrinking) {
			for (unsigned q = 0; q < w->n; q++)
				if (has_bit(set, q) && same_session(w, p, q))
					*overtaken |= UINT32_C(1) << q;
			w->monitor.overtaken |= *overtaken;
		}
		forget_waiting(w, p);
		/* Process p is inside, so its place in the order now matters
		 * only for strong concurrent entering. */
		if (!(w->asked & STRONG_CONCURRENT_ENTERING))
			forget_process(w, p);
	}
	return refused;
}

static bool all_in_remainder(const struct world *w)
{
	for (unsigned p = 0; p < w->n; p++)
		if (world_phase(w, p) != PHASE_REMAINDER)
			return false;
	return true;
}

/*
 * After a resize has begun, the old or the new k may be in force, and a process
 * that was admitted under the larger k may enter late.  So the larger k remains
 * the limit until all processes are in their remainders.
 */
static void follow_resize(struct world *w, unsigned p,
			  const struct local_state *before)
{
	const struct question *q = w->question;
	unsigned k = question_k(q, w->current[w->n - 1]->passages_left);

	if (question_resizer(q, p) &&
	    before->passages_left != w->current[p]->passages_left) {
		if (k > w->monitor.limit)
			w->monitor.limit = k;
		if (k < question_k(q, before->passages_left)) {
			w->monitor.shrinking = 1;
			w->monitor.overtaken = 0;
		}
	}
	if (all_in_remainder(w)) {
		w->monitor.limit = k;
		w->monitor.shrinking = 0;
	}
}

unsigned monitor_observe(struct world *w, unsigned p,
			 const struct local_state *before, uint32_t *overtaken)
{
	enum phase was = (enum phase)before->phase, is = world_phase(w, p);
	unsigned refused = monitor_too_long(w, p);

	*overtaken = 0;
	if (w->history)
		refused |= history_refused(w->history);
	if (w->question->resizes)
		follow_resize(w, p, before);
	if (was == is)
		return refused & w->asked;
	if (was == PHASE_REMAINDER && is != PHASE_RESIZING &&
	    remembers_order(w))
		for (unsigned q = 0; q < w->n; q++)
			if (q != p && world_phase(w, q) == PHASE_WAITING)
				w->monitor.after[q] |= UINT64_C(1) << p;
	if (is == PHASE_INSIDE && sim.algorithm->leave)
		refused |= entered(w, p, overtaken);
	if (is == PHASE_ABORTING)
		forget_waiting(w, p);
	if (is == PHASE_REMAINDER || is == PHASE_DEAD)
		forget_process(w, p);
	return refused & w->asked;
}

/* Whether every process outside its remainder has the session of p. */
static bool alone_in_session(const struct world *w, unsigned p)
{
	for (unsigned q = 0; q < w->n; q++)
		if (world_phase(w, q) != PHASE_REMAINDER &&
		    !same_session(w, p, q))
			return false;
	return true;
}

/* Whether every process with another session began its doorway after p had
 * finished its own. */
static bool ahead_of_other_sessions(const struct world *w, unsigned p)
{
	for (unsigned q = 0; q < w->n; q++)
		if (world_phase(w, q) != PHASE_REMAINDER &&
		    !same_session(w, p, q) && !has_bit(w->monitor.after[p], q))
			return false;
	return true;
}

/*
 * Whether fewer than k other processes with the session of p are outside their
 * remainders.  If not, p may be waiting for a slot, and then its wait says
 * nothing about sessions.  A process with another session is not counted:
 * either it holds no slot, or p must wait for it in any case.  If the question
 * changes k, the smallest k counts, because it may be in force.
 */
static bool has_room(const struct world *w, unsigned p)
{
	unsigned others = 0;

	for (unsigned q = 0; q < w->n; q++)
		others += q != p && world_phase(w, q) != PHASE_REMAINDER &&
			  same_session(w, p, q);
	return !sim.shape.k || others < question_least_k(w->question);
}

static unsigned check_blocked(const struct world *w, unsigned p, bool naps)
{
	unsigned refused = 0;

	switch (world_phase(w, p)) {
	case PHASE_DOORWAY:
		refused |= BOUNDED_DOORWAY;
		if (is_group() && alone_in_session(w, p) && has_room(w, p))
			refused |= CONCURRENT_ENTERING;
		break;
	case PHASE_WAITING:
		if (has_bit(w->monitor.overtaken, p) && !naps)
			refused |= FIFE;
		if (is_group() && has_room(w, p)) {
			if (alone_in_session(w, p))
				refused |= CONCURRENT_ENTERING;
			if ((w->asked & STRONG_CONCURRENT_ENTERING) &&
			    ahead_of_other_sessions(w, p))
				refused |= STRONG_CONCURRENT_ENTERING;
		}
		break;
	case PHASE_LEAVING:
		refused |= BOUNDED_LEAVE;
		break;
	case PHASE_ABORTING:
		refused |= BOUNDED_ABORT;
		break;
	case PHASE_INSIDE:
		refused |= BOUNDED_APPLY;
		break;
	default:
		break;
	}
	return refused;
}

/* All processes are in their remainders, so the k of the last resize is in
 * force. */
static bool is_quiet(const struct world *w)
{
	struct shape shape = sim.shape;

	shape.k = question_k(w->question, w->current[w->n - 1]->passages_left);
	return sim.algorithm->quiet(sim.shared, &shape);
}

static unsigned check_predicates(const struct world *w, bool idle)
{
	const struct algorithm *a = sim.algorithm;
	struct whereabouts all[MAX_EXHAUSTIVE_N];
	unsigned refused = 0;

	if ((w->asked & QUIESCENCE) && idle && a->quiet && !is_quiet(w))
		refused |= QUIESCENCE;
	if ((w->asked & INVARIANT) && a->invariant) {
		for (unsigned p = 0; p < w->n; p++)
			all[p] = (struct whereabouts){ world_phase(w, p),
						       w->current[p]->slot,
						       w->current[p]->session };
		if (!a->invariant(sim.shared, &sim.shape, all))
			refused |= INVARIANT;
	}
	return refused;
}

unsigned monitor_refused(struct world *w, uint64_t enabled, uint64_t nappers)
{
	unsigned active = 0, blocked = 0, refused = 0;

	for (unsigned p = 0; p < w->n; p++) {
		if (world_phase(w, p) == PHASE_REMAINDER)
			continue;
		if (has_bit(enabled, p)) {
			active++;
		} else {
			blocked++;
			refused |= check_blocked(w, p, has_bit(nappers, p));
		}
	}
	if (w->question->wakes)
		return blocked && !active ? NO_LOST_WAKE & w->asked : 0;
	if (blocked && !active)
		refused |= NO_DEADLOCK;
	/* All enabled processes may have crashed. */
	if (blocked && active <= w->question->crashes)
		refused |= NO_STARVATION;
	return (refused | check_predicates(w, !active && !blocked)) & w->asked;
}
