/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "checker/crowd.h"

#include "checker/clock.h"
#include "checker/dice.h"
#include "checker/passage.h"
#include "memory/simulated/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct crowd {
	const struct question *question;
	struct dice dice;
	enum adversary adversary;
	unsigned contention, active;
	unsigned turn;          /* whose turn it is, or the favourite */
	bool *blocked;          /* by what it watches */
	uint64_t *stalled;      /* until this step */
	uint64_t steps, sum;
	struct crowd_result *result;
};

int crowd_adversary(const char *name)
{
	static const char *const names[ADVERSARIES] = {
		"random", "bursts", "round-robin", "nosy", "stall"
	};

	for (int i = 0; i < ADVERSARIES; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static void finish_passage(struct crowd *c, unsigned p)
{
	struct actor *a = sim.actor[p];

	if (a->remote > c->result->worst)
		c->result->worst = a->remote;
	c->sum += a->remote;
	c->result->passages++;
	a->remote = 0;
	c->active--;
	sim_retire(p);
}

static void note_wait(struct crowd *c, unsigned p)
{
	long word = meter_remote_wait(p);

	c->blocked[p] = true;
	if (word >= 0)
		sim_word_name((size_t)word, c->result->waits_on,
			      sizeof c->result->waits_on);
}

static void begin_passage(struct crowd *c, unsigned p)
{
	struct actor *a = sim.actor[p];
	unsigned sessions = sim.shape.sessions ? sim.shape.sessions : 2;

	c->active++;
	a->remote = 0;
	a->self.session = dice_below(&c->dice, sessions) + 1;
	sim_start(p, passage_run);
}

/* Blocked after a failed look or pass; goes on when a watched word changed. */
static bool can_step(struct crowd *c, unsigned p)
{
	if (!sim.errand[p].step)
		return c->active < c->contention;
	if (c->blocked[p] && sim_watched_changed(p))
		c->blocked[p] = false;
	return !c->blocked[p];
}

/* Makes p's step; true: it may have read a value that is not there. */
static bool perform(struct crowd *c, unsigned p)
{
	const struct step *step = sim.errand[p].step;
	unsigned values = sim_torn_values((enum step_kind)step->kind,
					  step->word ? sim_index(step->word)
						     : 0);

	sim_perform(p, dice_below(&c->dice, values));
	sim_resume(p);
	return values > 1;
}

static void look_again(struct crowd *c, unsigned p)
{
	struct errand *e = &sim.errand[p];
	size_t word = sim_index(e->step->word);
	bool torn;

	torn = perform(c, p);
	if (e->step->kind != STEP_AGAIN)
		return;
	e->watch_count = 1;
	e->watched[0] = (struct watched){ (uint32_t)word,
					  sim.words[word].value };
	note_wait(c, p);
	/* Who looked while it was written need not wait for a change. */
	c->blocked[p] = !torn;
	sim_resume(p);
}

static void step(struct crowd *c, unsigned p)
{
	struct errand *e = &sim.errand[p];

	sim.change_count = 0;
	if (!e->step) {
		begin_passage(c, p);
	} else {
		switch ((enum step_kind)e->step->kind) {
		case STEP_AWAIT:
		case STEP_AWAIT_SAFE:
			look_again(c, p);
			break;
		case STEP_SLEEP:
			e->watch_count = 0;
			e->step->result = PASSAGE_LOOK_AGAIN;
			sim_resume(p);
			break;
		case STEP_INSIDE:
			sim_resume(p);
			break;
		default:
			perform(c, p);
		}
	}
	if (e->step->kind == STEP_END)
		finish_passage(c, p);
	else if (e->step->kind == STEP_SLEEP && e->watch_count)
		note_wait(c, p);
	c->steps++;
}

static bool is_looking(unsigned p)
{
	const struct step *step = sim.errand[p].step;

	return step && (step->kind == STEP_LOOK || step->kind == STEP_SLEEP ||
			(sim.actor[p]->phase == PHASE_WAITING &&
			 step->kind == STEP_READ));
}

/* Let everybody who waits for a word that was just changed look at it. */
static void let_the_nosy_look(struct crowd *c)
{
	for (unsigned p = 0; p < sim.n; p++) {
		if (!c->blocked[p] || !can_step(c, p))
			continue;
		do
			step(c, p);
		while (is_looking(p) && can_step(c, p));
	}
}

static unsigned pick(struct crowd *c)
{
	switch (c->adversary) {
	case ADVERSARY_ROUND_ROBIN:
		return c->turn = (c->turn + 1) % sim.n;
	case ADVERSARY_BURSTS:
	case ADVERSARY_NOSY:
		if (dice_below(&c->dice, 16) == 0 || !can_step(c, c->turn))
			c->turn = dice_below(&c->dice, sim.n);
		return c->turn;
	default:
		return dice_below(&c->dice, sim.n);
	}
}

/* False: nobody can step. */
static bool run_one(struct crowd *c)
{
	unsigned p = pick(c), tried = 0;

	while (!can_step(c, p) || c->stalled[p] > c->steps) {
		p = (p + 1) % sim.n;
		if (++tried == sim.n)
			memset(c->stalled, 0, sim.n * sizeof *c->stalled);
		if (tried > 2 * sim.n)
			return false;
	}
	step(c, p);
	if (c->adversary == ADVERSARY_STALL &&
	    dice_below(&c->dice, 64) == 0)
		c->stalled[p] = c->steps + dice_below(&c->dice, 64 * sim.n);
	if (c->adversary == ADVERSARY_NOSY && sim.change_count)
		let_the_nosy_look(c);
	return true;
}

static bool open_crowd(struct crowd *c, const struct question *q)
{
	if (!sim_open(q->algorithm, &q->shape, -1))
		return false;
	sim.cost = q->cost;
	sim.smart_cache = q->smart_cache;
	c->blocked = calloc(sim.n, sizeof *c->blocked);
	c->stalled = calloc(sim.n, sizeof *c->stalled);
	return c->blocked && c->stalled && meter_open();
}

bool crowd_run(const struct question *q, enum adversary adversary,
	       unsigned contention, uint64_t seed, double seconds,
	       struct crowd_result *result)
{
	struct crowd c = { .question = q, .adversary = adversary,
			   .contention = contention, .result = result };
	double end = clock_now() + seconds;
	uint64_t before = result->passages;
	double sum_before = result->mean * (double)before;
	bool ok = open_crowd(&c, q);

	dice_seed(&c.dice, seed);
	for (bool goes_on = ok; goes_on && clock_now() <= end;)
		for (unsigned i = 0; i < 4096 && goes_on; i++)
			goes_on = run_one(&c);
	if (result->passages)
		result->mean = (sum_before + (double)c.sum) /
			       (double)result->passages;
	free(c.blocked);
	free(c.stalled);
	meter_close();
	sim_close();
	return ok;
}
