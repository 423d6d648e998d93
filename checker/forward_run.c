/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/forward_run.h"

#include "checker/passage.h"
#include "memory/simulated/meter.h"
#include "memory/simulated/scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_cost(struct forward_run *run, unsigned p)
{
	if (sim.process[p]->remote > run->result->worst)
		run->result->worst = sim.process[p]->remote;
	if (sim.process[p]->outside > run->result->outside)
		run->result->outside = sim.process[p]->outside;
}

void forward_run_count_unfinished(struct forward_run *run)
{
	run->result->total = run->result->sum;
	for (unsigned p = 0; p < sim.n; p++) {
		note_cost(run, p);
		run->result->total += sim.process[p]->remote;
	}
}

static void finish_passage(struct forward_run *run, unsigned p)
{
	struct simulated_process *a = sim.process[p];

	note_cost(run, p);
	run->result->sum += a->remote;
	run->result->passages++;
	a->remote = 0;
	a->outside = 0;
	run->active--;
	scheduler_retire(p);
}

static void begin_passage(struct forward_run *run, unsigned p)
{
	struct simulated_process *a = sim.process[p];
	unsigned sessions = sim.shape.sessions ? sim.shape.sessions : 2;

	run->active++;
	run->result->begun++;
	a->remote = 0;
	a->outside = 0;
	a->self.session = run->session ? run->session[p]
				       : prng_below(&run->prng, sessions) + 1;
	scheduler_start(p, passage_run);
}

/* Make the step of p.  Returns true if the step was a torn read. */
static bool perform(struct forward_run *run, unsigned p)
{
	const struct step *step = sim.coroutine[p].step;
	unsigned values = sim_torn_values((enum step_kind)step->kind,
					  step->word ? sim_index(step->word)
						     : 0);

	scheduler_perform(p, prng_below(&run->prng, values));
	scheduler_resume(p);
	return values > 1;
}

/* A look or pass of p has failed.  Returns true if p is blocked until one of
 * the words that it watches changes. */
static bool note_wait(struct forward_run *run, unsigned p)
{
	long word = meter_remote_wait(p);

	if (word >= 0)
		sim_word_name((size_t)word, run->result->waits_on,
			      sizeof run->result->waits_on);
	return !scheduler_watched_changed(p);
}

static bool look_again(struct forward_run *run, unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];
	size_t word = sim_index(co->step->word);
	bool torn = perform(run, p), blocked;

	if (co->step->kind != STEP_AGAIN)
		return false;
	co->watch_count = 1;
	co->watched[0] = (struct watched){ (uint32_t)word,
					   sim.words[word].value };
	blocked = note_wait(run, p);
	scheduler_resume(p);
	/* After a torn read, p can look again even if no word changes. */
	return blocked && !torn;
}

/* Returns true if p is blocked now. */
static bool make_step(struct forward_run *run, unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];

	switch ((enum step_kind)co->step->kind) {
	case STEP_AWAIT:
	case STEP_AWAIT_SAFE:
		return look_again(run, p);
	case STEP_SLEEP:
		sim_forget_pass(p);
		co->step->result = PASSAGE_LOOK_AGAIN;
		scheduler_resume(p);
		break;
	case STEP_INSIDE:
		scheduler_resume(p);
		break;
	default:
		perform(run, p);
	}
	/* A poll that names no word to sleep on is repeated at once. */
	return co->step->kind == STEP_SLEEP && co->watch_count &&
	       (!(sim.process[p]->polls & POLL_PASSES) || co->named) &&
	       note_wait(run, p);
}

static struct process_set *set_of(struct forward_run *run, unsigned p)
{
	const struct step *step = sim.coroutine[p].step;

	if (!step)
		return &run->in_remainder;
	return step->kind == STEP_INSIDE ? &run->inside : &run->ready;
}

void forward_run_step(struct forward_run *run, unsigned p)
{
	bool blocked = false;

	sim.change_count = 0;
	sim.invalidated = NO_WORD;
	process_set_remove(set_of(run, p), p);
	if (sim.coroutine[p].step)
		blocked = make_step(run, p);
	else
		begin_passage(run, p);
	if (sim.coroutine[p].step->kind == STEP_END)
		finish_passage(run, p);
	if (blocked)
		waiters_add(&run->waiters, p);
	else
		process_set_add(set_of(run, p), p);
	if (sim.change_count)
		run->nap_rounds = 0;
	waiters_release(&run->waiters);
	for (unsigned i = 0; i < run->waiters.released_count; i++)
		process_set_add(&run->ready, run->waiters.released[i]);
	run->steps++;
}

bool forward_run_may_give_up(const struct forward_run *run, unsigned p)
{
	return sim.algorithm->abort && waiters_has(&run->waiters, p) &&
	       sim.coroutine[p].step->kind == STEP_SLEEP;
}

void forward_run_give_up(struct forward_run *run, unsigned p)
{
	waiters_remove(&run->waiters, p);
	sim_forget_pass(p);
	sim.coroutine[p].step->result = PASSAGE_GIVE_UP;
	scheduler_resume(p);
	if (sim.coroutine[p].step->kind == STEP_END)
		finish_passage(run, p);
	process_set_add(set_of(run, p), p);
}

static void end_nap(struct forward_run *run, unsigned p)
{
	waiters_remove(&run->waiters, p);
	sim_forget_pass(p);
	sim.coroutine[p].step->result = PASSAGE_SLEPT;
	scheduler_resume(p);
	process_set_add(set_of(run, p), p);
}

bool forward_run_end_naps(struct forward_run *run)
{
	bool any = false;

	if (!sim.algorithm->naps || run->nap_rounds++ > 1)
		return false;
	for (unsigned p = 0; p < sim.n; p++) {
		if (!waiters_has(&run->waiters, p) || !sim.process[p]->polls)
			continue;
		end_nap(run, p);
		any = true;
	}
	return any;
}

static bool is_looking(unsigned p)
{
	const struct step *step = sim.coroutine[p].step;

	return step && (step->kind == STEP_LOOK || step->kind == STEP_SLEEP ||
			(sim.process[p]->phase == PHASE_WAITING &&
			 step->kind == STEP_READ));
}

/* Process p makes at most one pass, because some algorithms poll for ever. */
static void make_pass(struct forward_run *run, unsigned p)
{
	size_t most = sim.watch_room;

	do
		forward_run_step(run, p);
	while (process_set_has(&run->ready, p) && is_looking(p) && most-- &&
	       sim.coroutine[p].step->kind != STEP_SLEEP);
}

void forward_run_let_released_look(struct forward_run *run)
{
	unsigned count = run->waiters.released_count;
	unsigned *released = calloc(count + 1, sizeof *released);

	if (!released)
		return;
	memcpy(released, run->waiters.released, count * sizeof *released);
	for (unsigned i = 0; i < count; i++)
		make_pass(run, released[i]);
	free(released);
}

bool forward_run_open(const struct question *q)
{
	if (!sim_open(q->algorithm, &q->shape, -1))
		return false;
	sim.cost = q->cost;
	sim.smart_cache = q->smart_cache;
	sim.writer_keeps = q->writer_keeps;
	return true;
}

void forward_run_close(void)
{
	sim_close();
}

bool forward_run_begin(struct forward_run *run)
{
	sim_reset();
	if (!process_set_open(&run->in_remainder, sim.n) ||
	    !process_set_open(&run->ready, sim.n) ||
	    !process_set_open(&run->inside, sim.n) ||
	    !waiters_open(&run->waiters, sim.watch_room) || !meter_open())
		return false;
	for (unsigned p = 0; p < sim.n; p++)
		process_set_add(&run->in_remainder, p);
	return true;
}

void forward_run_end(struct forward_run *run)
{
	process_set_close(&run->in_remainder);
	process_set_close(&run->ready);
	process_set_close(&run->inside);
	waiters_close(&run->waiters);
	meter_close();
}
