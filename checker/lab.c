/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A check from beginning to end.  It may take several runs: one over all
 * states for most properties, one more that records the graph if cycles matter
 * and there are any, one in which wakes are steps, and one that shortens the
 * counterexample.
 */
#include "checker/lab.h"

#include "checker/ask.h"
#include "checker/check.h"
#include "checker/clock.h"
#include "checker/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	DEFAULT_RANDOM_SECONDS = 10,
	DEFAULT_RANDOM_DEPTH = 10000,
	SHORTEN_SECONDS = 20,
	WORTH_STATES = 1000000
};

static unsigned safety(const struct lab_check *c)
{
	return c->answer.asked & ~(unsigned)NO_LOST_WAKE;
}

/* A budget of time is shared by the runs over states and over wakes. */
static double deadline(const struct lab_check *c, enum errand_kind kind)
{
	double seconds = c->asked.seconds;

	if (seconds == 0 && kind == RUN_RANDOM)
		seconds = DEFAULT_RANDOM_SECONDS;
	if (seconds == 0)
		return 0;
	if (c->stage == STAGE_STATES && (c->answer.asked & NO_LOST_WAKE))
		seconds *= 0.6;
	return c->started + seconds;
}

static bool begin(struct lab_check *c, enum errand_kind kind)
{
	struct run *r = &c->run;

	memset(r, 0, sizeof *r);
	r->kind = kind;
	r->question = &c->question;
	r->memory = c->memory;
	r->seed = c->asked.seed;
	r->depth = c->asked.depth > 0 ? (unsigned)c->asked.depth
				      : DEFAULT_RANDOM_DEPTH;
	r->deadline = deadline(c, kind);
	r->control = control_open();
	if (kind == RUN_SHORTEN && r->control) {
		r->property = c->answer.first;
		r->shorten_seconds = SHORTEN_SECONDS;
		memcpy(r->control->found.choice, c->path,
		       c->length * sizeof *c->path);
		r->control->found.length = (uint32_t)c->length;
		r->deadline = 0;
	}
	if (!r->control || !run_start(r, c->workers)) {
		snprintf(c->answer.message, sizeof c->answer.message, "%s",
			 r->control ? r->control->message : "no memory");
		c->answer.verdict = LAB_FAILED;
		c->stage = STAGE_DONE;
		return false;
	}
	c->running = true;
	return true;
}

/*
 * Cycles matter if passages never end, or if the algorithm retries.  Where
 * there are none, who gets stuck does so in a state without a way out, and the
 * graph, which takes many times the memory, is not needed.
 */
static enum errand_kind kind_of_search(const struct lab_check *c)
{
	const struct question *q = &c->question;

	if (c->asked.random)
		return RUN_RANDOM;
	if (!(q->asked & (NO_DEADLOCK | NO_STARVATION)))
		return RUN_SEARCH;
	for (unsigned p = 0; p < q->shape.n; p++)
		if (q->passages[p] == 0)
			return RUN_GRAPH;
	if (!q->algorithm->retries)
		return RUN_SEARCH;
	return c->has_cycles || c->asked.keep_graph ? RUN_GRAPH : RUN_STRAIGHT;
}

static void begin_stage(struct lab_check *c)
{
	struct question *q = &c->question;

	if (c->stage == STAGE_STATES) {
		q->asked = safety(c);
		if (!q->asked) {
			c->stage = STAGE_WAKES;
		} else {
			begin(c, kind_of_search(c));
			return;
		}
	}
	if (c->stage == STAGE_WAKES) {
		if (c->asked.random && c->path) {
			c->answer.undecided |= c->answer.asked & NO_LOST_WAKE;
			c->stage = STAGE_SHORTEN;
		} else if (!(c->answer.asked & NO_LOST_WAKE)) {
			c->stage = STAGE_SHORTEN;
		} else {
			q->asked = NO_LOST_WAKE;
			q->wakes = true;
			begin(c, c->asked.random ? RUN_RANDOM : RUN_SEARCH);
			return;
		}
	}
	if (c->stage == STAGE_SHORTEN) {
		/* A loop is as short as its graph allows already. */
		if (!c->path || c->loop) {
			c->stage = STAGE_DONE;
			return;
		}
		c->question = c->broken;
		begin(c, RUN_SHORTEN);
	}
}

static void note_violation(struct lab_check *c)
{
	struct control *control = c->run.control;
	unsigned lowest = control->first & -control->first;

	c->answer.violated |= control->violated;
	if (c->path || !control->first)
		return;
	c->answer.first = lowest;
	c->broken = c->question;
	c->length = control->found.length;
	c->loop = control->loop;
	c->path = malloc((c->length + 1) * sizeof *c->path);
	if (c->path)
		memcpy(c->path, control->found.choice,
		       c->length * sizeof *c->path);
}

static void note_shortened(struct lab_check *c)
{
	struct control *control = c->run.control;

	if (control->found.length <= c->length) {
		c->length = control->found.length;
		memcpy(c->path, control->found.choice,
		       c->length * sizeof *c->path);
	}
}

static void note_stop(struct lab_check *c, enum stop stop)
{
	unsigned asked = c->question.asked;

	if (stop == STOP_FAILED) {
		c->answer.verdict = LAB_FAILED;
		snprintf(c->answer.message, sizeof c->answer.message, "%s",
			 c->run.control->message[0] ? c->run.control->message
						    : "a search worker failed");
		c->stage = STAGE_DONE;
		return;
	}
	if (stop != STOP_NOT || c->run.kind == RUN_RANDOM)
		c->answer.undecided |= asked & ~c->run.control->violated;
	if (stop == STOP_NOT)
		return;
	if (stop != STOP_VIOLATED)
		c->stopped = stop;
}

static void finish_run(struct lab_check *c)
{
	struct control *control = c->run.control;
	struct lab_answer *a = &c->answer;

	c->running = false;
	if (control_get(&control->stop) == STOP_CYCLE) {
		/* The same stage again, with the graph. */
		c->has_cycles = true;
		run_end(&c->run);
		control_close(control);
		return;
	}
	if (c->stage == STAGE_SHORTEN) {
		/* Not worth failing for: the long one is right as well. */
		if (control_get(&control->stop) != STOP_FAILED)
			note_shortened(c);
	} else {
		a->states += control_states(control);
		a->transitions += control_transitions(control);
		if (control_depth(control) > a->depth)
			a->depth = control_depth(control);
		c->bytes += c->run.kind == RUN_GRAPH ? control->heap_bytes
			    : c->run.kind == RUN_SEARCH ||
					    c->run.kind == RUN_STRAIGHT
				    ? seen_bytes(control->seen.lines
							 ? &control->seen
							 : &c->run.seen)
				    : 0;
		note_violation(c);
		note_stop(c, (enum stop)control_get(&control->stop));
	}
	run_end(&c->run);
	control_close(control);
	if (c->stage != STAGE_DONE)
		c->stage++;
}

static void conclude(struct lab_check *c)
{
	static const char *const bounds[] = { [STOP_TIME] = "time",
					      [STOP_MEMORY] = "memory",
					      [STOP_DEPTH] = "depth" };
	struct lab_answer *a = &c->answer;

	a->seconds = clock_now() - c->started;
	a->bytes_per_state = a->states ? (double)c->bytes / (double)a->states
				       : 0;
	a->error_probability = c->asked.random ? 0 : seen_error(a->states);
	a->undecided &= ~a->violated;
	if (a->verdict == LAB_FAILED)
		return;
	a->verdict = a->violated    ? LAB_VIOLATED
		     : a->undecided ? LAB_BOUNDED
				    : LAB_HOLDS;
	if (a->verdict == LAB_BOUNDED)
		a->bound = c->asked.random ? "random" : bounds[c->stopped];
}

/* The path as steps; called when no run is under way. */
static void tell(struct lab_check *c)
{
	struct replay r;
	struct lab_answer *a = &c->answer;

	if (!c->path || a->verdict == LAB_FAILED)
		return;
	a->schedule = schedule_write(&c->broken, a->first, c->path, c->length,
				     c->loop);
	if (!replay_open(&r, &c->broken))
		return;
	for (size_t i = 0; i < c->length; i++) {
		if (c->loop && i == c->length - c->loop)
			replay_loop_begins(&r);
		if (!replay_choice(&r, c->path[i]))
			break;
	}
	replay_finish(&r, a->why, sizeof a->why);
	a->step = r.step;
	a->steps = r.steps;
	if (!(r.violated & a->first)) {
		a->verdict = LAB_FAILED;
		snprintf(a->message, sizeof a->message,
			 "the counterexample does not replay; this is an error "
			 "in the checker");
	}
	replay_close(&r);
}

static size_t default_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (size_t)pages * (size_t)size / 2
				     : (size_t)1 << 30;
}

void check_fill_answer(struct lab_check *c)
{
	struct lab_answer *a = &c->answer;
	const struct question *q = &c->question;

	a->algorithm = q->algorithm->name;
	a->n = q->shape.n;
	a->k = q->shape.k;
	a->sessions = q->shape.sessions;
	memcpy(a->passages, q->passages, sizeof a->passages);
	a->crashes = q->crashes;
	a->deaths = q->deaths;
	a->aborts = q->aborts;
	a->steps_of = c->asked.steps_of;
	a->passers = question_passers(q);
	memcpy(a->resize, q->resize, sizeof a->resize);
	a->resizes = q->resizes;
	a->asked = q->asked;
}

struct lab_check *lab_check_start(const struct lab_question *q, char *error)
{
	struct lab_check *c = calloc(1, sizeof *c);

	if (!c) {
		snprintf(error, LAB_ERROR, "no memory");
		return NULL;
	}
	c->asked = *q;
	if (!ask(q, &c->question, error)) {
		free(c);
		return NULL;
	}
	if (q->memory && q->memory < 64 << 20) {
		snprintf(error, LAB_ERROR,
			 "--memory: a check needs 64 MiB at least");
		free(c);
		return NULL;
	}
	c->memory = q->memory ? q->memory : default_memory();
	c->workers = q->workers > 0 ? (unsigned)q->workers : 2;
	c->started = clock_now();
	check_fill_answer(c);
	begin_stage(c);
	return c;
}

/*
 * After a violation the rest is worth a while longer, not for ever: as long as it
 * took, and a little; in time and in states, so that a busy machine decides as
 * much as one that is not.
 */
static void hurry(struct lab_check *c)
{
	struct control *control = c->run.control;
	double now = clock_now();
	uint64_t states = control_states(control);

	if (c->stage == STAGE_SHORTEN || !control_get(&control->violated))
		return;
	if (c->violated_at == 0) {
		c->violated_at = now;
		c->violated_states = states;
	}
	if (now > c->violated_at + 2 + (c->violated_at - c->started) &&
	    states > 2 * c->violated_states + WORTH_STATES &&
	    control_get(&control->stop) == STOP_NOT)
		control_set(&control->stop, STOP_VIOLATED);
}

static void fill_progress(struct lab_check *c, struct lab_progress *p)
{
	static const char *const stages[] = { [STAGE_STATES] = "states",
					      [STAGE_WAKES] = "wakes",
					      [STAGE_SHORTEN] = "shorten",
					      [STAGE_DONE] = "done" };
	struct control *control = c->run.control;

	p->stage = stages[c->stage];
	p->seconds = clock_now() - c->started;
	p->seconds_limit = c->asked.seconds;
	p->memory_limit = c->memory;
	p->states = c->answer.states;
	p->transitions = c->answer.transitions;
	p->depth = c->answer.depth;
	if (c->running && c->stage != STAGE_SHORTEN) {
		p->states += control_states(control);
		p->transitions += control_transitions(control);
		p->depth = control_depth(control);
		p->memory = control->seen.lines ? seen_bytes(&control->seen)
						: seen_bytes(&c->run.seen);
	}
}

bool lab_check_advance(struct lab_check *c, double seconds,
		       struct lab_progress *progress)
{
	double until = clock_now() + seconds;

	while (c->stage != STAGE_DONE) {
		bool busy = run_wait(&c->run, 0.02);

		hurry(c);
		if (!busy) {
			finish_run(c);
			if (c->stage != STAGE_DONE)
				begin_stage(c);
		}
		if (clock_now() >= until && c->stage != STAGE_DONE) {
			if (progress)
				fill_progress(c, progress);
			return true;
		}
	}
	if (!c->concluded) {
		c->concluded = true;
		conclude(c);
		tell(c);
	}
	if (progress) {
		c->running = false;
		fill_progress(c, progress);
	}
	return false;
}

const struct lab_answer *lab_check_answer(struct lab_check *c)
{
	return &c->answer;
}

void lab_check_end(struct lab_check *c)
{
	if (c->running) {
		run_end(&c->run);
		control_close(c->run.control);
	}
	free(c->path);
	free(c->answer.schedule);
	free(c->answer.step);
	free(c);
}
