/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/danek_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Process P asks for SESSION_P, all others for SESSION_OTHERS. */
enum { P = 0, SESSION_P = 1, SESSION_OTHERS = 2 };

static bool can_move(const struct forward_run *run, unsigned p)
{
	return process_set_has(&run->ready, p) ||
	       (process_set_has(&run->in_remainder, p) &&
		run->active < run->contention);
}

static bool is_inside(const struct forward_run *run, unsigned p)
{
	return process_set_has(&run->inside, p);
}

/* More steps than a process that runs alone needs for a passage. */
static uint64_t most_steps(void)
{
	return 1000 + 100 * (uint64_t)sim.n * sim.n;
}

/* Process p steps until it is inside or blocked; returns the number of its
 * steps. */
static uint64_t enter_alone(struct forward_run *run, unsigned p)
{
	uint64_t steps = 0;

	while (!is_inside(run, p) && can_move(run, p) && steps < most_steps()) {
		forward_run_step(run, p);
		steps++;
	}
	return steps;
}

static void leave_alone(struct forward_run *run, unsigned p)
{
	do
		forward_run_step(run, p);
	while (!process_set_has(&run->in_remainder, p) && can_move(run, p));
}

/* Every process in [from, n) that can step and is not inside makes one step.
 * Returns false if there is no such process. */
static bool step_each(struct forward_run *run, unsigned from)
{
	bool moved = false;

	for (unsigned p = from; p < sim.n; p++) {
		if (is_inside(run, p) || !can_move(run, p))
			continue;
		forward_run_step(run, p);
		moved = true;
	}
	return moved;
}

/* A run with its result and the sessions of its processes. */
struct danek_run {
	struct forward_run run;
	struct forward_run_result result;
	uint64_t *session;
};

/* Returns false if there is no memory; even then the caller must call end. */
static bool begin(struct danek_run *danek)
{
	struct forward_run *run = &danek->run;
	bool ok;

	memset(danek, 0, sizeof *danek);
	ok = forward_run_begin(run);
	run->contention = sim.n;
	run->result = &danek->result;
	danek->session = calloc(sim.n, sizeof *danek->session);
	run->session = danek->session;
	for (unsigned p = 0; danek->session && p < sim.n; p++)
		danek->session[p] = p == P ? SESSION_P : SESSION_OTHERS;
	return ok && danek->session;
}

static void end(struct danek_run *danek)
{
	free(danek->session);
	forward_run_end(&danek->run);
}

static void run_exit(struct forward_run *run, struct exit_cost *cost)
{
	struct simulated_process *p = sim.process[P];
	uint64_t rounds = 0;

	enter_alone(run, P);
	while (step_each(run, P + 1) && rounds++ < most_steps())
		;
	cost->entered_early = run->inside.count > 1;
	p->remote = p->outside = 0;
	run->result->worst = run->result->outside = 0;
	leave_alone(run, P);
	/* At the end of the passage, the run recorded the cost since the reset
	 * above: the cost of the leave. */
	cost->remote = run->result->worst;
	cost->outside = run->result->outside;
	for (unsigned q = P + 1; q < sim.n; q++) {
		uint64_t steps = enter_alone(run, q);

		cost->stuck |= !is_inside(run, q);
		if (steps > cost->alone)
			cost->alone = steps;
	}
}

bool danek_runs_exit(struct exit_cost *cost)
{
	struct danek_run danek;
	bool ok = begin(&danek);

	memset(cost, 0, sizeof *cost);
	if (ok)
		run_exit(&danek.run, cost);
	memcpy(cost->waits_on, danek.result.waits_on, sizeof cost->waits_on);
	end(&danek);
	return ok;
}

static void until_blocked(struct forward_run *run, unsigned p)
{
	while (!is_inside(run, p) && can_move(run, p))
		forward_run_step(run, p);
}

static void run_patience(struct forward_run *run, unsigned times,
			 struct patience_cost *cost)
{
	enum { FIRST = P + 1, SECOND };
	const struct simulated_process *looks = sim.process[SECOND];

	enter_alone(run, P);
	until_blocked(run, FIRST);
	until_blocked(run, SECOND);
	leave_alone(run, P);
	for (unsigned i = 0; i < times && !is_inside(run, SECOND); i++) {
		until_blocked(run, P);
		until_blocked(run, SECOND);
		if (!forward_run_may_give_up(run, P))
			break;
		forward_run_give_up(run, P);
		leave_alone(run, P);
	}
	cost->entered = is_inside(run, SECOND);
	cost->remote = looks->remote;
	cost->outside = looks->outside;
}

bool danek_runs_patience(unsigned times, struct patience_cost *cost)
{
	struct danek_run danek;
	bool ok = begin(&danek);

	memset(cost, 0, sizeof *cost);
	if (ok)
		run_patience(&danek.run, times, cost);
	end(&danek);
	return ok;
}

static void run_accumulate(struct forward_run *run,
			   struct accumulated_cost *cost)
{
	enum { HOLDER = P + 1, FIRST };
	const struct simulated_process *waiter = sim.process[P];

	for (unsigned q = FIRST; q < sim.n; q++) {
		enter_alone(run, q);
		forward_run_step(run, q); /* is no longer inside */
		forward_run_step(run, q);
	}
	enter_alone(run, HOLDER);
	until_blocked(run, P);
	for (unsigned q = FIRST; q < sim.n && !is_inside(run, P); q++)
		while (!process_set_has(&run->in_remainder, q) &&
		       can_move(run, q)) {
			forward_run_step(run, q);
			until_blocked(run, P);
		}
	cost->entered = is_inside(run, P);
	cost->remote = waiter->remote;
	cost->outside = waiter->outside;
}

bool danek_runs_accumulate(struct accumulated_cost *cost)
{
	struct danek_run danek;
	bool ok = begin(&danek);

	memset(cost, 0, sizeof *cost);
	if (ok)
		run_accumulate(&danek.run, cost);
	end(&danek);
	return ok;
}

/* Process p steps until other processes can see it: until it has changed a word
 * outside the component. */
static void become_visible(struct forward_run *run, unsigned p)
{
	bool visible = false;

	while (!visible && can_move(run, p)) {
		forward_run_step(run, p);
		for (size_t i = 0; i < sim.change_count; i++)
			visible |= sim_is_outside(sim.changes[i].word);
	}
}

static bool in_doorway(const struct forward_run *run, unsigned p)
{
	return can_move(run, p) && (process_set_has(&run->in_remainder, p) ||
				    sim.process[p]->phase == PHASE_DOORWAY);
}

static void finish_doorways(struct forward_run *run, unsigned from, unsigned to)
{
	bool moved = true;

	while (moved) {
		moved = false;
		for (unsigned p = from; p < to; p++) {
			if (!in_doorway(run, p))
				continue;
			forward_run_step(run, p);
			moved = true;
		}
	}
}

/* Let all processes that can enter do so; then let all of them leave.  Returns
 * how many entered; *of_others says whether they are processes other than P. */
static unsigned next_batch(struct forward_run *run, bool *of_others)
{
	unsigned count;

	while (run->ready.count && step_each(run, 0))
		;
	count = run->inside.count;
	*of_others = count && run->inside.member[0] != P;
	while (run->inside.count)
		leave_alone(run, run->inside.member[0]);
	return count;
}

static void run_batches(struct forward_run *run, struct batches *b)
{
	unsigned left = sim.n;
	size_t used = 0;

	become_visible(run, P);
	finish_doorways(run, P + 1, sim.n);
	finish_doorways(run, P, P + 1);
	run->contention = 0; /* no process begins another passage */
	while (left > 0) {
		bool of_others;
		unsigned count = next_batch(run, &of_others);

		b->stuck = count == 0;
		if (b->stuck)
			return;
		left -= count;
		if (!of_others)
			continue;
		b->count++;
		if (count > b->largest)
			b->largest = count;
		if (used < sizeof b->list)
			used += (size_t)snprintf(b->list + used,
						 sizeof b->list - used,
						 used ? " %u" : "%u", count);
	}
}

bool danek_runs_batches(struct batches *batches)
{
	struct danek_run danek;
	bool ok = begin(&danek);

	memset(batches, 0, sizeof *batches);
	if (ok)
		run_batches(&danek.run, batches);
	end(&danek);
	return ok;
}
