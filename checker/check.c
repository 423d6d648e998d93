/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A check consists of up to four tasks.  The first task searches all states for
 * violations of all properties except no-lost-wake and prompt-wake.  For
 * no-deadlock and no-starvation, the first task also records the graph of
 * states if passages are unbounded.  If passages are bounded but the algorithm
 * retries, the first task records no graph; if it finds a cycle, a further task
 * repeats the search and records the graph.  The next task searches for
 * violations of no-lost-wake and prompt-wake, with wakes as steps.  The last
 * task shortens the counterexample.
 */
#include "checker/check.h"

#include "checker/answer.h"
#include "checker/clock.h"
#include "checker/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	DEFAULT_RANDOM_SECONDS = 10,
	DEFAULT_RANDOM_DEPTH = 10000,
	SHORTEN_SECONDS = 20,
	MORE_STATES = 1000000 /* fewest states searched after a violation */
};

enum stage { STAGE_STATES, STAGE_WAKES, STAGE_SHORTEN, STAGE_DONE };

struct lab_check {
	struct lab_question asked;
	struct question question; /* that of the current task */
	enum stage stage;
	struct task task;
	bool running, concluded;
	bool has_cycles; /* a search has found a cycle */
	double started, violated_at;
	uint64_t violated_states;
	size_t memory;
	unsigned worker_count;
	enum stop stopped;
	struct lab_answer answer;
	/* the first violation */
	struct question broken;
	struct choice *path;
	size_t length, loop;
	uint64_t bytes;
};

/* The search of all states and the search with wakes share one time limit.  If
 * both are needed, the first one gets 60 % of the time. */
static double deadline(const struct lab_check *c, enum task_kind kind)
{
	double seconds = c->asked.seconds;

	if (seconds == 0 && kind == TASK_RANDOM)
		seconds = DEFAULT_RANDOM_SECONDS;
	if (seconds == 0)
		return 0;
	if (c->stage == STAGE_STATES && (c->answer.asked & WAKE_PROPERTIES))
		seconds *= 0.6;
	return c->started + seconds;
}

static bool begin(struct lab_check *c, enum task_kind kind)
{
	struct task *t = &c->task;

	memset(t, 0, sizeof *t);
	t->kind = kind;
	t->question = &c->question;
	t->memory = c->memory;
	t->seed = c->asked.seed;
	t->depth = c->asked.depth > 0 ? (unsigned)c->asked.depth
				      : DEFAULT_RANDOM_DEPTH;
	t->deadline = deadline(c, kind);
	t->workers = workers_open();
	if (kind == TASK_SHORTEN && t->workers) {
		t->property = c->answer.first;
		t->shorten_seconds = SHORTEN_SECONDS;
		memcpy(t->workers->found.choice, c->path,
		       c->length * sizeof *c->path);
		t->workers->found.length = (uint32_t)c->length;
		t->deadline = 0;
	}
	if (!t->workers || !task_start(t, c->worker_count)) {
		snprintf(c->answer.message, sizeof c->answer.message, "%s",
			 t->workers ? t->workers->message
				    : "not enough memory");
		c->answer.verdict = LAB_FAILED;
		c->stage = STAGE_DONE;
		return false;
	}
	c->running = true;
	return true;
}

/*
 * Cycles matter if the number of passages is unbounded or if the algorithm
 * retries.  Without cycles every schedule ends, so the set of states is enough.
 * The graph would take many times the memory.
 */
static enum task_kind kind_of_search(const struct lab_check *c)
{
	const struct question *q = &c->question;

	if (c->asked.random)
		return TASK_RANDOM;
	if (q->canonical)
		return TASK_CANONICAL;
	if (!(q->asked & CYCLE_PROPERTIES))
		return TASK_SEARCH;
	for (unsigned p = 0; p < q->shape.n; p++)
		if (q->passages[p] == 0)
			return TASK_GRAPH;
	if (!q->algorithm->retries)
		return TASK_SEARCH;
	return c->has_cycles || c->asked.keep_graph ? TASK_GRAPH : TASK_ACYCLIC;
}

static void begin_stage(struct lab_check *c)
{
	struct question *q = &c->question;

	if (c->stage == STAGE_STATES) {
		q->asked = c->answer.asked & ~(unsigned)WAKE_PROPERTIES;
		if (!q->asked) {
			c->stage = STAGE_WAKES;
		} else {
			begin(c, kind_of_search(c));
			return;
		}
	}
	if (c->stage == STAGE_WAKES) {
		if (c->asked.random && c->path) {
			c->answer.undecided |= c->answer.asked &
					       WAKE_PROPERTIES;
			c->stage = STAGE_SHORTEN;
		} else if (!(c->answer.asked & WAKE_PROPERTIES)) {
			c->stage = STAGE_SHORTEN;
		} else {
			q->asked = c->answer.asked & WAKE_PROPERTIES;
			q->wakes = true;
			begin(c, kind_of_search(c));
			return;
		}
	}
	if (c->stage == STAGE_SHORTEN) {
		/* A schedule with a cycle is not shortened, nor is a schedule
		 * of TASK_CANONICAL: both consist of shortest paths. */
		if (!c->path || c->loop || c->broken.canonical) {
			c->stage = STAGE_DONE;
			return;
		}
		c->question = c->broken;
		begin(c, TASK_SHORTEN);
	}
}

static void note_violation(struct lab_check *c)
{
	struct workers *workers = c->task.workers;
	unsigned lowest = workers->first & -workers->first;

	c->answer.violated |= workers->violated;
	if (c->path || !workers->first)
		return;
	c->answer.first = lowest;
	c->broken = c->question;
	c->length = workers->found.length;
	c->loop = workers->loop;
	c->path = malloc((c->length + 1) * sizeof *c->path);
	if (c->path)
		memcpy(c->path, workers->found.choice,
		       c->length * sizeof *c->path);
}

static void note_shortened(struct lab_check *c)
{
	struct workers *workers = c->task.workers;

	if (workers->found.length <= c->length) {
		c->length = workers->found.length;
		memcpy(c->path, workers->found.choice,
		       c->length * sizeof *c->path);
	}
}

static void note_stop(struct lab_check *c, enum stop stop)
{
	unsigned asked = c->question.asked;

	if (stop == STOP_FAILED) {
		c->answer.verdict = LAB_FAILED;
		snprintf(c->answer.message, sizeof c->answer.message, "%s",
			 c->task.workers->message[0]
				 ? c->task.workers->message
				 : "a worker of the search failed");
		c->stage = STAGE_DONE;
		return;
	}
	if (stop != STOP_NOT || c->task.kind == TASK_RANDOM)
		c->answer.undecided |= asked & ~c->task.workers->violated;
	if (stop == STOP_NOT)
		return;
	if (stop != STOP_VIOLATED)
		c->stopped = stop;
}

static void finish_task(struct lab_check *c)
{
	struct workers *workers = c->task.workers;
	struct lab_answer *a = &c->answer;

	c->running = false;
	if (workers_get(&workers->stop) == STOP_CYCLE) {
		/* The same stage runs again, now with the graph. */
		c->has_cycles = true;
		task_end(&c->task);
		workers_close(workers);
		return;
	}
	if (c->stage == STAGE_SHORTEN) {
		/* A failure here is harmless: the longer schedule remains. */
		if (workers_get(&workers->stop) != STOP_FAILED)
			note_shortened(c);
	} else {
		a->states += workers_states(workers);
		a->transitions += workers_transitions(workers);
		if (workers_depth(workers) > a->depth)
			a->depth = workers_depth(workers);
		c->bytes += c->task.kind == TASK_GRAPH ||
					    c->task.kind == TASK_CANONICAL
				    ? workers->heap_bytes
			    : c->task.kind == TASK_SEARCH ||
					    c->task.kind == TASK_ACYCLIC
				    ? seen_bytes(workers->seen.lines
							 ? &workers->seen
							 : &c->task.seen)
				    : 0;
		note_violation(c);
		note_stop(c, (enum stop)workers_get(&workers->stop));
	}
	task_end(&c->task);
	workers_close(workers);
	if (c->stage != STAGE_DONE)
		c->stage++;
}

static void conclude(struct lab_check *c)
{
	static const char *const bounds[] = { [STOP_TIME] = "time",
					      [STOP_MEMORY] = "memory",
					      [STOP_DEPTH] = "depth",
					      [STOP_WIDTH] = "transitions" };
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

static size_t default_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (size_t)pages * (size_t)size / 2
				     : (size_t)1 << 30;
}

struct lab_check *lab_check_start(const struct lab_question *q, char *error)
{
	struct lab_check *c = calloc(1, sizeof *c);

	if (!c) {
		snprintf(error, LAB_ERROR, "not enough memory");
		return NULL;
	}
	c->asked = *q;
	if (!question_complete(q, &c->question, error)) {
		free(c);
		return NULL;
	}
	if (q->memory && q->memory < 64 << 20) {
		snprintf(error, LAB_ERROR,
			 "--memory: a check needs at least 64 MiB");
		free(c);
		return NULL;
	}
	c->memory = q->memory ? q->memory : default_memory();
	c->worker_count = q->workers > 0 ? (unsigned)q->workers : 2;
	c->started = clock_now();
	answer_set_question(&c->answer, &c->question, q->steps_of);
	begin_stage(c);
	return c;
}

/*
 * After a violation, the search for other violations goes on for about as long
 * as it took to find the first one.  The search stops only when both the time
 * and the number of states exceed their limits, so that a search on a busy
 * machine decides as many properties as on an idle one.
 */
static void stop_after_violation(struct lab_check *c)
{
	struct workers *workers = c->task.workers;
	double now = clock_now();
	uint64_t states = workers_states(workers);

	if (c->stage == STAGE_SHORTEN || !workers_get(&workers->violated))
		return;
	if (c->violated_at == 0) {
		c->violated_at = now;
		c->violated_states = states;
	}
	if (now > c->violated_at + 2 + (c->violated_at - c->started) &&
	    states > 2 * c->violated_states + MORE_STATES &&
	    workers_get(&workers->stop) == STOP_NOT)
		workers_set(&workers->stop, STOP_VIOLATED);
}

static void fill_progress(struct lab_check *c, struct lab_progress *p)
{
	static const char *const stages[] = { [STAGE_STATES] = "states",
					      [STAGE_WAKES] = "wakes",
					      [STAGE_SHORTEN] = "shorten",
					      [STAGE_DONE] = "done" };
	struct workers *workers = c->task.workers;

	p->stage = stages[c->stage];
	p->seconds = clock_now() - c->started;
	p->seconds_limit = c->asked.seconds;
	p->memory_limit = c->memory;
	p->states = c->answer.states;
	p->transitions = c->answer.transitions;
	p->depth = c->answer.depth;
	if (c->running && c->stage != STAGE_SHORTEN) {
		p->states += workers_states(workers);
		p->transitions += workers_transitions(workers);
		p->depth = workers_depth(workers);
		p->memory = workers->seen.lines ? seen_bytes(&workers->seen)
						: seen_bytes(&c->task.seen);
	}
}

bool lab_check_advance(struct lab_check *c, double seconds,
		       struct lab_progress *progress)
{
	double until = clock_now() + seconds;

	while (c->stage != STAGE_DONE) {
		bool busy = task_wait(&c->task, 0.02);

		stop_after_violation(c);
		if (!busy) {
			finish_task(c);
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
		if (c->path && c->answer.verdict != LAB_FAILED)
			answer_set_path(&c->answer, &c->broken, c->path,
					c->length, c->loop);
	}
	if (progress) {
		c->running = false;
		fill_progress(c, progress);
	}
	return false;
}

const struct lab_answer *lab_check_answer(const struct lab_check *c)
{
	return &c->answer;
}

void lab_check_end(struct lab_check *c)
{
	if (c->running) {
		task_end(&c->task);
		workers_close(c->task.workers);
	}
	free(c->path);
	free(c->answer.schedule);
	free(c->answer.step);
	free(c);
}

struct lab_check *lab_replay(const char *schedule, char *error)
{
	struct lab_check *c = calloc(1, sizeof *c);

	if (!c) {
		snprintf(error, LAB_ERROR, "not enough memory");
		return NULL;
	}
	if (!answer_replay(&c->answer, schedule, error)) {
		free(c);
		return NULL;
	}
	c->stage = STAGE_DONE;
	c->concluded = true;
	return c;
}
