/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/world_step.h"

#include "checker/passage.h"
#include "memory/simulated/meter.h"
#include "memory/simulated/scheduler.h"
#include "memory/simulated/store.h"

/*
 * Returns how many steps p is allowed to make in its phase, or 0 if there is no
 * bound.
 */
static unsigned bound_of_phase(const struct world *w, unsigned p)
{
	const struct simulated_process *a = sim.process[p];

	if (!(w->steps_of >> p & 1))
		return 0;
	switch (a->phase) {
	case PHASE_DOORWAY:
		return w->doorway_bound;
	case PHASE_LEAVING:
		return w->leave_bound;
	case PHASE_ABORTING:
		return w->abort_bound;
	case PHASE_INSIDE:
		return w->apply_bound;
	case PHASE_RECOVERING:
		return a->region_steps == NOT_COUNTED ? 0 : w->finish_bound;
	default:
		return 0;
	}
}

static void make_step(struct world *w, unsigned p, unsigned torn)
{
	struct simulated_process *a = sim.process[p];
	unsigned bound = bound_of_phase(w, p);

	/* Compare before the step is made, because the step may end the
	 * phase. */
	if (bound && ++a->region_steps > bound)
		a->overrun = a->phase;
	scheduler_perform(p, torn);
	scheduler_resume(p);
}

static bool is_access(enum step_kind kind)
{
	return kind <= STEP_LARGE || kind == STEP_LOOK || kind == STEP_NAME ||
	       kind == STEP_WAKE || kind == STEP_LEASE || kind == STEP_REVOKE ||
	       kind == STEP_SURVEY;
}

/*
 * Starting, leaving and looking again are not steps of their own: they include
 * the first access that follows.  Two kinds of access remain separate steps: an
 * await, because it may fail, and a torn read.
 */
static void first_access(struct world *w, unsigned p)
{
	const struct step *step = sim.coroutine[p].step;

	if (!is_access((enum step_kind)step->kind))
		return;
	if (sim_torn_values((enum step_kind)step->kind,
			    step->word ? sim_index(step->word) : 0) == 1)
		make_step(w, p, 0);
	else
		/* The test above has read the flux bit of the word, so the move
		 * depends on that bit. */
		sim.touched = TOUCHES_UNKNOWN;
}

/*
 * Where wakes are steps: p falls asleep unless a word that its pass read has
 * changed.  While p sleeps, the values that the pass read do not matter.
 */
static void fall_asleep(unsigned p)
{
	uint64_t asleep = sim.words[sim.sleeping].value;
	struct coroutine *co = &sim.coroutine[p];

	if (scheduler_watched_changed(p)) {
		sim_forget_pass(p);
		return;
	}
	sim_change(sim.sleeping, asleep | UINT64_C(1) << p);
	for (uint32_t i = 0; i < co->watch_count; i++)
		co->watched[i].value = 0;
}

static void note_remote_wait(struct world *w, unsigned p)
{
	long word = meter_remote_wait(p);

	if ((int)p == sim.tracked && word >= 0)
		w->remote_wait = word;
}

/* Returns the reason why p may repeat its failed pass, perhaps for ever, or
 * NULL if there is no such reason. */
static const char *why_repeated(unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];
	unsigned polls = sim.process[p]->polls;

	if (polls & POLL_WROTE)
		return "writes and then fails";
	if (!co->named)
		return "fails and names no word to sleep on";
	/* If a pass after a nap changes an own word and fails, p may nap again
	 * and repeat this for ever. */
	if ((polls & POLL_SLEPT) && co->watch_count &&
	    co->watched[0].word == sim.sleeping)
		return "changes an own word after a nap and then fails";
	return NULL;
}

/*
 * A pass of the poll of p has failed.  If the pass named no word, p makes
 * another pass at once.  If the pass followed a nap, the next pass may read
 * other words.  In both cases, the values that this pass read say nothing about
 * the next pass.
 */
static void note_failed_pass(unsigned p)
{
	struct simulated_process *a = sim.process[p];

	if (!(a->polls & POLL_PASSES))
		return;
	if (!sim.failed_poll)
		sim.failed_poll = why_repeated(p);
	if (!sim.coroutine[p].named ||
	    ((a->polls & POLL_SLEPT) && !sim.wakes_are_steps))
		sim_forget_pass(p);
	sim.coroutine[p].named = false;
	a->polls = POLL_WAITS;
}

/*
 * The look of p has failed.  This changes the state only in two cases: where
 * wakes are steps, p falls asleep; and if p is the tracked process, p now has a
 * copy of the word.  Returns true if nothing has changed.
 */
static bool look_failed(struct world *w, unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];
	uint16_t remote = sim.process[p]->remote;
	bool counted = (int)p == sim.tracked && sim.change_count > 0;
	size_t word = sim_index(co->step->word);

	local_state_put(w->current[p], p);
	if (w->lazy && !sim.wakes_are_steps)
		return true;
	co->watched[0] = (struct watched){ (uint32_t)word,
					   sim.words[word].value };
	co->watch_count = 1;
	note_remote_wait(w, p);
	if (sim.wakes_are_steps)
		fall_asleep(p);
	else if (counted)
		sim.process[p]->remote = remote;
	return !sim.wakes_are_steps && !counted;
}

/* Where wakes are steps: whether p was woken.  A woken process still watches
 * the words that it slept on. */
static bool was_woken(unsigned p)
{
	return sim.wakes_are_steps && sim.algorithm->naps &&
	       sim.coroutine[p].watch_count > 0;
}

static void end_sleep(struct world *w, unsigned p, uint64_t answer)
{
	sim_forget_pass(p);
	sim.coroutine[p].step->result = answer;
	scheduler_resume(p);
	first_access(w, p);
}

/* The store fails to answer p, and p sends the same transaction again: the
 * local state of p does not change. */
static void make_fault(unsigned p, unsigned fate)
{
	const struct transaction *t =
		(const struct transaction *)(uintptr_t)sim.coroutine[p].step->a;

	store_use_fault();
	if (fate == FATE_DELAYED)
		store_delay(p, t);
	else
		store_make(p, t);
	sim.touched = TOUCHES_UNKNOWN;
	if (sim.record)
		*sim.record = *sim.coroutine[p].step;
}

/*
 * Make one step of p.  Returns false if p is blocked; then nothing has changed.
 */
static bool step_once(struct world *w, unsigned p, unsigned torn)
{
	struct coroutine *co = &sim.coroutine[p];

	switch ((enum step_kind)co->step->kind) {
	case STEP_INSIDE:
		scheduler_resume(p);
		if (co->step->kind != STEP_END)
			first_access(w, p);
		return true;
	case STEP_SLEEP:
		end_sleep(w, p,
			  was_woken(p) ? PASSAGE_SLEPT : PASSAGE_LOOK_AGAIN);
		return true;
	case STEP_AWAIT:
	case STEP_AWAIT_SAFE:
		make_step(w, p, torn);
		return co->step->kind != STEP_AGAIN || !look_failed(w, p);
	case STEP_REMOTE:
		if (torn != FATE_ANSWERED)
			make_fault(p, torn);
		else
			make_step(w, p, 0);
		return true;
	default:
		make_step(w, p, torn);
		return true;
	}
}

static void start(struct world *w, unsigned p, unsigned variant)
{
	struct simulated_process *a = sim.process[p];

	a->remote = 0;
	if (question_resizer(w->question, p)) {
		/* A resizer that died begins the same resize again. */
		if (a->phase != PHASE_DEAD)
			a->passages_left--;
		a->self.argument = question_k(w->question, a->passages_left);
		scheduler_start(p, passage_resize);
	} else if (a->phase == PHASE_DEAD) {
		scheduler_start(p, passage_recover);
	} else {
		if (a->passages_left != UNBOUNDED)
			a->passages_left--;
		a->self.session = variant + 1;
		a->self.operation = variant;
		a->self.argument = p + 1;
		scheduler_start(p, passage_run);
	}
	first_access(w, p);
}

/* Process p dies and loses its private memory. */
static void die(unsigned p)
{
	scheduler_retire(p);
	sim.process[p]->self.seat = NULL;
	sim.process[p]->self.keep = 0;
	sim.process[p]->phase = PHASE_DEAD;
	if (sim_asleep(p))
		sim_change(sim.sleeping,
			   sim.words[sim.sleeping].value & ~(UINT64_C(1) << p));
}

/* Whether p is in the middle of a pass over several words. */
static bool is_passing(unsigned p)
{
	const struct step *step = sim.coroutine[p].step;

	return step && (step->kind == STEP_LOOK ||
			(sim.process[p]->polls & POLL_PASSES));
}

bool world_step(struct world *w, struct choice c)
{
	struct coroutine *co = &sim.coroutine[c.process];
	struct simulated_process *a = sim.process[c.process];
	bool moved = true;

	switch ((enum act)c.act) {
	case ACT_STEP:
		moved = step_once(w, c.process, c.variant);
		break;
	case ACT_START:
		start(w, c.process, c.variant);
		break;
	case ACT_ABORT:
		if (sim_asleep(c.process))
			sim_change(sim.sleeping,
				   sim.words[sim.sleeping].value &
					   ~(UINT64_C(1) << c.process));
		a->aborts_left--;
		end_sleep(w, c.process, PASSAGE_GIVE_UP);
		break;
	case ACT_NAP:
		end_sleep(w, c.process, PASSAGE_SLEPT);
		break;
	case ACT_DIE:
		die(c.process);
		break;
	/* The process itself does nothing. */
	case ACT_LAPSE:
		store_use_fault();
		store_end_lease(c.process);
		return true;
	case ACT_DELIVER:
		store_deliver(c.process, c.variant);
		return true;
	}
	if (co->step && co->step->kind == STEP_SLEEP) {
		note_failed_pass(c.process);
		note_remote_wait(w, c.process);
		if (sim.wakes_are_steps && !sim_asleep(c.process))
			fall_asleep(c.process);
	} else if (!sim_asleep(c.process) && !is_passing(c.process)) {
		sim_forget_pass(c.process);
	}
	return moved;
}
