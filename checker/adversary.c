/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/adversary.h"

#include "checker/clock.h"

#include <stdlib.h>
#include <string.h>

/* What an adversary does to make passages dear. */
struct manner {
	const char *name;
	unsigned burst; /* one process makes about so many steps in a row */
	bool in_turn;   /* everybody in turn */
	bool nosy;      /* who waits looks after every change */
	bool stalls;    /* some are left standing while others pass */
	bool full;      /* who is inside leaves only when all others wait */
};

static const struct manner manners[ADVERSARIES] = {
	{ .name = "random" },
	{ .name = "bursts", .burst = 16 },
	{ .name = "round-robin", .in_turn = true },
	{ .name = "nosy", .burst = 16, .nosy = true },
	{ .name = "stall", .stalls = true },
	{ .name = "full-house", .full = true },
	{ .name = "crush", .full = true, .burst = 64, .nosy = true },
};

struct adversary {
	const struct manner *manner;
	struct crowd crowd;
	unsigned turn;     /* whose turn it is, or who is in its burst */
	uint64_t *stalled; /* until this step */
	bool aborts;
};

int adversary_number(const char *name)
{
	for (int i = 0; i < ADVERSARIES; i++)
		if (strcmp(manners[i].name, name) == 0)
			return i;
	return -1;
}

const char *adversary_names(void)
{
	return "random, bursts, round-robin, nosy, stall, full-house, crush";
}

static bool can_step(const struct adversary *a, unsigned p)
{
	const struct crowd *c = &a->crowd;

	if (c->resting.place[p])
		return c->active < c->contention;
	if (c->inside.place[p])
		return !a->manner->full || !c->ready.count;
	return c->ready.place[p] != 0;
}

/* Somebody who can step, all with equal chances; -1: nobody can. */
static int draw(struct adversary *a)
{
	struct crowd *c = &a->crowd;
	unsigned resting = c->active < c->contention ? c->resting.count : 0;
	unsigned inside = c->inside.count, i;

	if (a->manner->full && c->ready.count + resting)
		inside = 0;
	if (c->ready.count + resting + inside == 0)
		return -1;
	i = dice_below(&c->dice, c->ready.count + resting + inside);
	if (i < c->ready.count)
		return (int)c->ready.member[i];
	i -= c->ready.count;
	return (int)(i < resting ? c->resting.member[i]
				 : c->inside.member[i - resting]);
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

/* Not one who should be left standing, if there is another soon. */
static int draw_moving(struct adversary *a)
{
	enum { ATTEMPTS = 16 };
	int p = -1;

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		p = draw(a);
		if (p < 0 || a->stalled[p] <= a->crowd.steps)
			break;
	}
	return p;
}

static int pick(struct adversary *a)
{
	int p;

	if (a->manner->in_turn)
		return draw_in_turn(a);
	if (a->manner->burst && can_step(a, a->turn) &&
	    dice_below(&a->crowd.dice, a->manner->burst) != 0)
		return (int)a->turn;
	p = a->manner->stalls ? draw_moving(a) : draw(a);
	if (p >= 0)
		a->turn = (unsigned)p;
	return p;
}

/* One in so many steps somebody who waits gives up instead. */
enum { PATIENCE = 8 };

static void give_up(struct crowd *c)
{
	unsigned p = dice_below(&c->dice, sim.n);

	if (crowd_may_give_up(c, p))
		crowd_give_up(c, p);
}

/* False: nobody can step. */
static bool run_one(struct adversary *a)
{
	struct crowd *c = &a->crowd;
	int p;

	if (a->aborts && dice_below(&c->dice, PATIENCE) == 0)
		give_up(c);
	p = pick(a);
	if (p < 0)
		return crowd_wakes_up(c);
	crowd_step(c, (unsigned)p);
	if (a->manner->stalls && dice_below(&c->dice, 64) == 0)
		a->stalled[p] = c->steps + dice_below(&c->dice, 64 * sim.n);
	if (a->manner->nosy && c->room.released_count)
		crowd_let_look(c);
	return true;
}

bool adversary_run(int adversary, unsigned contention, uint64_t seed,
		   struct budget budget, struct crowd_result *result)
{
	struct adversary a = { .manner = &manners[adversary] };
	bool ok = crowd_begin(&a.crowd);
	double end = clock_now() + budget.seconds;

	a.crowd.contention = contention;
	a.aborts = budget.aborts;
	a.crowd.result = result;
	a.stalled = calloc(sim.n, sizeof *a.stalled);
	ok = ok && a.stalled;
	dice_seed(&a.crowd.dice, seed);
	/* A look at the clock costs as much as a step. */
	for (unsigned i = 1; ok && !result->waits_on[0] && run_one(&a); i++)
		if (budget.steps ? a.crowd.steps >= budget.steps
				 : i % 8 == 0 && clock_now() > end)
			break;
	if (ok)
		crowd_count_unfinished(&a.crowd);
	free(a.stalled);
	crowd_end(&a.crowd);
	return ok;
}
