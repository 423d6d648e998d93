/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/motion.h"

#include "checker/passage.h"
#include "memory/simulated/meter.h"

/* How many steps p may make in its phase; 0: nobody counts. */
static unsigned bound_of_phase(const struct world *w, unsigned p)
{
	const struct actor *a = sim.actor[p];

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
	struct actor *a = sim.actor[p];
	unsigned bound = bound_of_phase(w, p);

	/* The step too many may be the one that ends the phase. */
	if (bound && ++a->region_steps > bound)
		a->overrun = a->phase;
	sim_perform(p, torn);
	sim_resume(p);
}

static bool is_access(enum step_kind kind)
{
	return kind <= STEP_LARGE || kind == STEP_LOOK || kind == STEP_WAKE;
}

/*
 * Starting, leaving and looking again are no steps: the first access belongs
 * to them.  A look that may fail stands alone, and so does a torn read.
 */
static void first_access(struct world *w, unsigned p)
{
	const struct step *step = sim.errand[p].step;

	if (!is_access((enum step_kind)step->kind))
		return;
	if (sim_torn_values((enum step_kind)step->kind,
			    step->word ? sim_index(step->word) : 0) == 1)
		make_step(w, p, 0);
	else
		sim.touched =
			TOUCHES_UNKNOWN; /* it was looked at all the same */
}

/*
 * Where wakes are steps: asleep unless what the pass read has changed.  Which
 * values those were decides nothing from here on, so it is forgotten.
 */
static void fall_asleep(unsigned p)
{
	uint64_t asleep = sim.words[sim.sleeping].value;
	struct errand *e = &sim.errand[p];

	if (sim_watched_changed(p)) {
		sim_forget_pass(p);
		return;
	}
	sim_change(sim.sleeping, asleep | UINT64_C(1) << p);
	for (uint32_t i = 0; i < e->watch_count; i++)
		e->watched[i].value = 0;
}

static void note_remote_wait(struct world *w, unsigned p)
{
	long word = meter_remote_wait(p);

	if ((int)p == sim.tracked && word >= 0)
		w->remote_wait = word;
}

/* What a pass did that said no: it is made again, perhaps for ever. */
static const char *vain_deed(unsigned p)
{
	const struct errand *e = &sim.errand[p];
	unsigned polls = sim.actor[p]->polls;

	if (polls & POLL_WROTE)
		return "writes and says no";
	if (!e->named)
		return "says no and names no word to sleep on";
	/* Who naps in vain and changes an own word may nap again. */
	if ((polls & POLL_SLEPT) && e->watch_count &&
	    e->watched[0].word == sim.sleeping)
		return "changes an own word after a nap and says no";
	return NULL;
}

/*
 * A pass of a poll has said no.  If it named no word it is made again at once;
 * and what it read after a nap is not what another pass would read: then
 * nothing is known of what the next one finds.
 */
static void note_vain_pass(unsigned p)
{
	struct actor *a = sim.actor[p];

	if (!(a->polls & POLL_PASSES))
		return;
	if (!sim.vain)
		sim.vain = vain_deed(p);
	if (!sim.errand[p].named ||
	    ((a->polls & POLL_SLEPT) && !sim.wakes_are_steps))
		sim_forget_pass(p);
	sim.errand[p].named = false;
	a->polls = POLL_WAITS;
}

/*
 * A failed look leaves nothing behind, except where nobody naps: then the
 * process sleeps; and for the one whose copies are counted: then it has one.
 * True: nothing has happened.
 */
static bool look_failed(struct world *w, unsigned p)
{
	struct errand *e = &sim.errand[p];
	uint16_t remote = sim.actor[p]->remote;
	bool counted = (int)p == sim.tracked && sim.change_count > 0;
	size_t word = sim_index(e->step->word);

	local_put(w->current[p], p);
	if (w->lazy && !sim.wakes_are_steps)
		return true;
	e->watched[0] = (struct watched){ (uint32_t)word,
					  sim.words[word].value };
	e->watch_count = 1;
	note_remote_wait(w, p);
	if (sim.wakes_are_steps)
		fall_asleep(p);
	else if (counted)
		sim.actor[p]->remote = remote;
	return !sim.wakes_are_steps && !counted;
}

/* Where wakes are steps: what it slept on is still noted. */
static bool was_woken(unsigned p)
{
	return sim.wakes_are_steps && sim.algorithm->naps &&
	       sim.errand[p].watch_count > 0;
}

static void end_sleep(struct world *w, unsigned p, uint64_t answer)
{
	sim_forget_pass(p);
	sim.errand[p].step->result = answer;
	sim_resume(p);
	first_access(w, p);
}

/* One step of p.  False: it is blocked and nothing has changed. */
static bool step_once(struct world *w, unsigned p, unsigned torn)
{
	struct errand *e = &sim.errand[p];

	switch ((enum step_kind)e->step->kind) {
	case STEP_INSIDE:
		sim_resume(p);
		if (e->step->kind != STEP_END)
			first_access(w, p);
		return true;
	case STEP_SLEEP:
		end_sleep(w, p,
			  was_woken(p) ? PASSAGE_SLEPT : PASSAGE_LOOK_AGAIN);
		return true;
	case STEP_AWAIT:
	case STEP_AWAIT_SAFE:
		make_step(w, p, torn);
		return e->step->kind != STEP_AGAIN || !look_failed(w, p);
	default:
		make_step(w, p, torn);
		return true;
	}
}

static void start(struct world *w, unsigned p, unsigned variant)
{
	struct actor *a = sim.actor[p];

	a->remote = 0;
	if (question_resizer(w->question, p)) {
		/* Who died on the way begins the same again. */
		if (a->phase != PHASE_DEAD)
			a->passages_left--;
		a->self.argument = question_k(w->question, a->passages_left);
		sim_start(p, passage_resize);
	} else if (a->phase == PHASE_DEAD) {
		sim_start(p, passage_recover);
	} else {
		if (a->passages_left != UNBOUNDED)
			a->passages_left--;
		a->self.session = variant + 1;
		a->self.operation = variant;
		a->self.argument = p + 1;
		sim_start(p, passage_run);
	}
	first_access(w, p);
}

/* Of its private memory nothing is left. */
static void die(unsigned p)
{
	sim_retire(p);
	sim.actor[p]->self.seat = NULL;
	sim.actor[p]->self.keep = 0;
	sim.actor[p]->phase = PHASE_DEAD;
	if (sim_asleep(p))
		sim_change(sim.sleeping,
			   sim.words[sim.sleeping].value & ~(UINT64_C(1) << p));
}

/* In the middle of a pass over several words. */
static bool is_passing(unsigned p)
{
	const struct step *step = sim.errand[p].step;

	return step && (step->kind == STEP_LOOK ||
			(!sim.algorithm->enter &&
			 sim.actor[p]->phase == PHASE_WAITING));
}

bool motion_make(struct world *w, struct choice c)
{
	struct errand *e = &sim.errand[c.process];
	struct actor *a = sim.actor[c.process];
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
	}
	if (e->step && e->step->kind == STEP_SLEEP) {
		note_vain_pass(c.process);
		note_remote_wait(w, c.process);
		if (sim.wakes_are_steps && !sim_asleep(c.process))
			fall_asleep(c.process);
	} else if (!sim_asleep(c.process) && !is_passing(c.process)) {
		sim_forget_pass(c.process);
	}
	return moved;
}
