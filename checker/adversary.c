/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/adversary.h"

#include "checker/clock.h"
#include "checker/late.h"

#include <stdlib.h>
#include <string.h>

/* How an adversary chooses the process that steps next. */
struct strategy {
	const char *name;
	unsigned burst; /* steps in a row by one process, on average */
	bool in_turn;   /* the processes step in turn, by id */
	bool nosy;      /* a waiter looks as soon as its word changes */
	bool stalls;    /* some processes stop for a while */
	bool full;      /* a process leaves only when all others wait */
	bool late;      /* delays leavers; late.h chooses all steps */
};

static const struct strategy strategies[ADVERSARIES] = {
	{ .name = "random" },
	{ .name = "bursts", .burst = 16 },
	{ .name = "round-robin", .in_turn = true },
	{ .name = "nosy", .burst = 16, .nosy = true },
	{ .name = "stall", .stalls = true },
	{ .name = "full-house", .full = true },
	{ .name = "crush", .full = true, .burst = 64, .nosy = true },
	{ .name = "late", .late = true },
};

struct adversary {
	const struct strategy *strategy;
	struct forward_run run;
	struct late late;
	unsigned turn;     /* the process that was chosen last */
	uint64_t *stalled; /* stalled[p]: p is stalled until this step */
	bool aborts;
};

int adversary_number(const char *name)
{
	for (int i = 0; i < ADVERSARIES; i++)
		if (strcmp(strategies[i].name, name) == 0)
			return i;
	return -1;
}

const char *adversary_name(int adversary)
{
	return strategies[adversary].name;
}

const char *adversary_names(void)
{
	return "random, bursts, round-robin, nosy, stall, full-house, crush, "
	       "late";
}

static bool can_step(const struct adversary *a, unsigned p)
{
	const struct forward_run *run = &a->run;

	if (process_set_has(&run->in_remainder, p))
		return run->active < run->contention;
	if (process_set_has(&run->inside, p))
		return !a->strategy->full || !run->ready.count;
	return process_set_has(&run->ready, p);
}

/* Draw a process that can step, each with the same probability.  Returns -1 if
 * no process can step. */
static int draw(struct adversary *a)
{
	struct forward_run *run = &a->run;
	unsigned begins = run->active < run->contention
				  ? run->in_remainder.count
				  : 0;
	unsigned inside = run->inside.count, i;

	if (a->strategy->full && run->ready.count + begins)
		inside = 0;
	if (run->ready.count + begins + inside == 0)
		return -1;
	i = prng_below(&run->prng, run->ready.count + begins + inside);
	if (i < run->ready.count)
		return (int)run->ready.member[i];
	i -= run->ready.count;
	return (int)(i < begins ? run->in_remainder.member[i]
				: run->inside.member[i - begins]);
}

static int draw_in_turn(struct adversary *a)
{
	for (unsigned i = 1; i <= sim.n; i++) {
		unsigned p = (a->turn + i) % sim.n;

		if (can_step(a, p))
			return (int)(a->turn = p);
	}
	return -1;
}

/* Like draw, but try a few times to draw a process that is not stalled. */
static int draw_not_stalled(struct adversary *a)
{
	enum { ATTEMPTS = 16 };
	int p = -1;

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		p = draw(a);
		if (p < 0 || a->stalled[p] <= a->run.steps)
			break;
	}
	return p;
}

static int pick(struct adversary *a)
{
	int p;

	if (a->strategy->in_turn)
		return draw_in_turn(a);
	if (a->strategy->burst && can_step(a, a->turn) &&
	    prng_below(&a->run.prng, a->strategy->burst) != 0)
		return (int)a->turn;
	p = a->strategy->stalls ? draw_not_stalled(a) : draw(a);
	if (p >= 0)
		a->turn = (unsigned)p;
	return p;
}

/* Before each step, with probability 1/PATIENCE, the adversary draws a process
 * at random; the process gives up if it waits at a point where it can give
 * up. */
enum { PATIENCE = 8 };

static void give_up(struct forward_run *run)
{
	unsigned p = prng_below(&run->prng, sim.n);

	if (forward_run_may_give_up(run, p))
		forward_run_give_up(run, p);
}

/* Returns false if no process can step, not even after the end of a nap. */
static bool step_once(struct adversary *a)
{
	struct forward_run *run = &a->run;
	int p;

	if (a->aborts && prng_below(&run->prng, PATIENCE) == 0)
		give_up(run);
	if (a->strategy->late)
		return late_step(&a->late) || forward_run_end_naps(run);
	p = pick(a);
	if (p < 0)
		return forward_run_end_naps(run);
	forward_run_step(run, (unsigned)p);
	if (a->strategy->stalls && prng_below(&run->prng, 64) == 0)
		a->stalled[p] = run->steps + prng_below(&run->prng, 64 * sim.n);
	if (a->strategy->nosy && run->waiters.released_count)
		forward_run_let_released_look(run);
	return true;
}

bool adversary_run(int adversary, unsigned contention, uint64_t seed,
		   struct budget budget, struct forward_run_result *result)
{
	struct adversary a = { .strategy = &strategies[adversary] };
	bool ok = forward_run_begin(&a.run);
	double end = clock_now() + budget.seconds;

	a.run.contention = contention;
	a.aborts = budget.aborts;
	a.run.result = result;
	a.stalled = calloc(sim.n, sizeof *a.stalled);
	ok = late_open(&a.late, &a.run) && ok && a.stalled;
	prng_seed(&a.run.prng, seed);
	/* Reading the clock takes as long as a step: read it every 8 steps. */
	for (unsigned i = 1; ok && !result->waits_on[0] && step_once(&a); i++)
		if (budget.steps ? a.run.steps >= budget.steps
				 : i % 8 == 0 && clock_now() > end)
			break;
	if (ok)
		forward_run_count_unfinished(&a.run);
	free(a.stalled);
	late_close(&a.late);
	forward_run_end(&a.run);
	return ok;
}
