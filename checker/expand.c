/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/expand.h"

#include "checker/monitor.h"
#include "checker/run_alone.h"

enum { EXPAND_ROOM = 64 << 20 };

bool expand_open(struct expansion *x)
{
	memset(x, 0, sizeof *x);
	return heap_open(&x->room, EXPAND_ROOM);
}

void expand_close(struct expansion *x)
{
	heap_close(&x->room);
}

/* Add the transitions of p.  Returns true if p is enabled for every value that
 * a torn read may return. */
static bool expand_process(struct world *w, struct expansion *x,
			   const struct seen *seen, unsigned p)
{
	struct choice choices[MAX_CHOICES];
	unsigned count = world_choices(w, p, choices);
	bool moves = false, blocked = false;

	for (unsigned i = 0; i < count; i++) {
		struct transition *t = transition_try(w, choices[i], &x->room);

		if (!t) {
			blocked = true;
			continue;
		}
		moves |= choices[i].act == ACT_STEP ||
			 choices[i].act == ACT_START;
		if (seen)
			seen_prefetch(seen, t->hash);
		/* There is no room for t, so its target is not explored, and
		 * the check must not claim that a property holds. */
		if (x->count == MAX_TRANSITIONS) {
			w->wide = true;
			break;
		}
		x->transition[x->count++] = t;
	}
	if (moves && w->current[p]->kind == STEP_SLEEP && !sim.wakes_are_steps)
		return run_alone_proceeds(w, p);
	return moves && !blocked;
}

unsigned expand_overtaken(struct world *w, uint32_t overtaken)
{
	const struct algorithm *a = sim.algorithm;

	for (unsigned p = 0; p < w->n && overtaken && a->bounds.solo_steps; p++)
		if ((overtaken >> p & 1) &&
		    !run_alone_enters(w, p, a->bounds.solo_steps(&sim.shape)))
			return FIFE;
	return 0;
}

/*
 * Whether a process is in the middle of a pass that has only read words.  Such
 * a pass may be in vain.  The search leaves out passes in vain, so the end of a
 * nap must not depend on them.
 */
static bool is_only_reading(const struct local_state *s)
{
	bool passes = s->kind == STEP_LOOK ? s->watch_count > 0
					   : s->polls & POLL_PASSES;
	bool has_effect = s->watch_count &&
			  local_state_watched(s)[0].word == sim.sleeping;

	return passes && !has_effect;
}

/* The number of enabled processes outside their remainders, without those that
 * are only reading. */
static unsigned count_active(const struct world *w, uint64_t enabled)
{
	unsigned active = 0;

	for (unsigned p = 0; p < w->n; p++)
		active += (enabled >> p & 1) &&
			  world_phase(w, p) != PHASE_REMAINDER &&
			  !is_only_reading(w->current[p]);
	return active;
}

static void add_nap(struct world *w, struct expansion *x, unsigned p)
{
	if (x->count == MAX_TRANSITIONS)
		w->wide = true;
	else
		x->transition[x->count++] = transition_try(
			w, (struct choice){ (uint8_t)p, ACT_NAP, 0 }, &x->room);
}

/*
 * A nap ends only if no other process is sure to take a step.  This is so if
 * the number of enabled processes outside their remainders is at most the
 * number of crashes that the question allows: all these processes may have
 * crashed.  Returns the nappers: the blocked processes that would proceed in
 * the pass after a nap.  If no nap can end in this state, only overtaken
 * processes count, because fife requires that they can proceed by themselves.
 */
static uint64_t expand_naps(struct world *w, struct expansion *x)
{
	bool still = count_active(w, x->enabled) <= w->question->crashes;
	uint64_t nappers = 0;

	for (unsigned p = 0; p < w->n; p++) {
		uint64_t bit = UINT64_C(1) << p;

		if ((x->enabled & bit) ||
		    !(still || (w->monitor.overtaken & bit)) ||
		    !run_alone_nap_helps(w, p))
			continue;
		nappers |= bit;
		if (still)
			add_nap(w, x, p);
	}
	if (still)
		x->enabled |= nappers;
	return nappers;
}

/* Whether a process is about to wake sleepers. */
static bool is_telling(const struct world *w)
{
	for (unsigned p = 0; p < w->n; p++)
		if (w->current[p]->kind == STEP_WAKE)
			return true;
	return false;
}

static unsigned check_sleepers(struct world *w)
{
	/* After a death, prompt-wake is not checked: the dead process may have
	 * been about to wake a sleeper. */
	if (!(w->asked & PROMPT_WAKE) ||
	    w->monitor.deaths_left < w->question->deaths || is_telling(w))
		return 0;
	for (unsigned p = 0; p < w->n; p++)
		if (sim_asleep(p) && run_alone_would_wake(w, p))
			return PROMPT_WAKE;
	return 0;
}

/*
 * Check the step bound of fife for every transition that overtakes a process.
 * A transition counts even if its target was reached before: the transition by
 * which the search found the target may have overtaken no process.
 */
static void check_transitions(struct world *w, struct expansion *x)
{
	for (unsigned i = 0; i < x->count; i++) {
		struct transition *t = x->transition[i];

		if (!t->overtaken)
			continue;
		transition_apply(w, t);
		t->violated |= expand_overtaken(w, t->overtaken);
		transition_retract(w, t);
	}
}

void expand(struct world *w, struct expansion *x, const struct seen *seen)
{
	uint64_t nappers = 0;

	x->room.used = 0;
	x->count = 0;
	x->enabled = 0;
	for (unsigned p = 0; p < w->n; p++)
		if (expand_process(w, x, seen, p))
			x->enabled |= UINT64_C(1) << p;
	if (sim.algorithm->naps && !sim.wakes_are_steps)
		nappers = expand_naps(w, x);
	x->refused = monitor_refused(w, x->enabled, nappers);
	if (sim.wakes_are_steps)
		x->refused |= check_sleepers(w);
	check_transitions(w, x);
}
