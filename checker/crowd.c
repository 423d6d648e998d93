/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/crowd.h"

#include "checker/passage.h"
#include "memory/simulated/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_cost(struct crowd *c, unsigned p)
{
	if (sim.actor[p]->remote > c->result->worst)
		c->result->worst = sim.actor[p]->remote;
	if (sim.actor[p]->outside > c->result->outside)
		c->result->outside = sim.actor[p]->outside;
}

void crowd_count_unfinished(struct crowd *c)
{
	for (unsigned p = 0; p < sim.n; p++)
		note_cost(c, p);
}

static void finish_passage(struct crowd *c, unsigned p)
{
	struct actor *a = sim.actor[p];

	note_cost(c, p);
	c->result->sum += a->remote;
	c->result->passages++;
	a->remote = 0;
	a->outside = 0;
	c->active--;
	sim_retire(p);
}

static void begin_passage(struct crowd *c, unsigned p)
{
	struct actor *a = sim.actor[p];
	unsigned sessions = sim.shape.sessions ? sim.shape.sessions : 2;

	c->active++;
	a->remote = 0;
	a->outside = 0;
	a->self.session = c->session ? c->session[p]
				     : dice_below(&c->dice, sessions) + 1;
	sim_start(p, passage_run);
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

/* After a failed look or pass.  True: p is blocked by what it watches. */
static bool note_wait(struct crowd *c, unsigned p)
{
	long word = meter_remote_wait(p);

	if (word >= 0)
		sim_word_name((size_t)word, c->result->waits_on,
			      sizeof c->result->waits_on);
	return !sim_watched_changed(p);
}

static bool look_again(struct crowd *c, unsigned p)
{
	struct errand *e = &sim.errand[p];
	size_t word = sim_index(e->step->word);
	bool torn = perform(c, p), blocked;

	if (e->step->kind != STEP_AGAIN)
		return false;
	e->watch_count = 1;
	e->watched[0] = (struct watched){ (uint32_t)word,
					  sim.words[word].value };
	blocked = note_wait(c, p);
	sim_resume(p);
	/* Who looked while it was written need not wait for a change. */
	return blocked && !torn;
}

/* True: p is blocked now. */
static bool go_on(struct crowd *c, unsigned p)
{
	struct errand *e = &sim.errand[p];

	switch ((enum step_kind)e->step->kind) {
	case STEP_AWAIT:
	case STEP_AWAIT_SAFE:
		return look_again(c, p);
	case STEP_SLEEP:
		sim_forget_pass(p);
		e->step->result = PASSAGE_LOOK_AGAIN;
		sim_resume(p);
		break;
	case STEP_INSIDE:
		sim_resume(p);
		break;
	default:
		perform(c, p);
	}
	/* A poll that names no word has more to do. */
	return e->step->kind == STEP_SLEEP && e->watch_count &&
	       (!(sim.actor[p]->polls & POLL_PASSES) || e->named) &&
	       note_wait(c, p);
}

static struct crew *crew_of(struct crowd *c, unsigned p)
{
	const struct step *step = sim.errand[p].step;

	if (!step)
		return &c->resting;
	return step->kind == STEP_INSIDE ? &c->inside : &c->ready;
}

void crowd_step(struct crowd *c, unsigned p)
{
	bool blocked = false;

	sim.change_count = 0;
	crew_part(crew_of(c, p), p);
	if (sim.errand[p].step)
		blocked = go_on(c, p);
	else
		begin_passage(c, p);
	if (sim.errand[p].step->kind == STEP_END)
		finish_passage(c, p);
	if (blocked)
		waiting_room_enter(&c->room, p);
	else
		crew_join(crew_of(c, p), p);
	if (sim.change_count)
		c->naps = 0;
	waiting_room_release(&c->room);
	for (unsigned i = 0; i < c->room.released_count; i++)
		crew_join(&c->ready, c->room.released[i]);
	c->steps++;
}

bool crowd_may_give_up(const struct crowd *c, unsigned p)
{
	return sim.algorithm->abort && c->room.tickets[p] &&
	       sim.errand[p].step->kind == STEP_SLEEP;
}

void crowd_give_up(struct crowd *c, unsigned p)
{
	waiting_room_leave(&c->room, p);
	sim_forget_pass(p);
	sim.errand[p].step->result = PASSAGE_GIVE_UP;
	sim_resume(p);
	if (sim.errand[p].step->kind == STEP_END)
		finish_passage(c, p);
	crew_join(crew_of(c, p), p);
}

static void end_nap(struct crowd *c, unsigned p)
{
	waiting_room_leave(&c->room, p);
	sim_forget_pass(p);
	sim.errand[p].step->result = PASSAGE_SLEPT;
	sim_resume(p);
	crew_join(crew_of(c, p), p);
}

bool crowd_wakes_up(struct crowd *c)
{
	bool any = false;

	if (!sim.algorithm->naps || c->naps++ > 1)
		return false;
	for (unsigned p = 0; p < sim.n; p++) {
		if (!c->room.tickets[p] || !sim.actor[p]->polls)
			continue;
		end_nap(c, p);
		any = true;
	}
	return any;
}

static bool is_looking(unsigned p)
{
	const struct step *step = sim.errand[p].step;

	return step && (step->kind == STEP_LOOK || step->kind == STEP_SLEEP ||
			(sim.actor[p]->phase == PHASE_WAITING &&
			 step->kind == STEP_READ));
}

/* One pass at most: some poll for ever. */
static void take_a_look(struct crowd *c, unsigned p)
{
	size_t most = sim.watch_room;

	do
		crowd_step(c, p);
	while (c->ready.place[p] && is_looking(p) && most-- &&
	       sim.errand[p].step->kind != STEP_SLEEP);
}

void crowd_let_look(struct crowd *c)
{
	unsigned count = c->room.released_count;
	unsigned *nosy = calloc(count + 1, sizeof *nosy);

	if (!nosy)
		return;
	memcpy(nosy, c->room.released, count * sizeof *nosy);
	for (unsigned i = 0; i < count; i++)
		take_a_look(c, nosy[i]);
	free(nosy);
}

bool crowd_open(const struct question *q)
{
	if (!sim_open(q->algorithm, &q->shape, -1))
		return false;
	sim.cost = q->cost;
	sim.smart_cache = q->smart_cache;
	return true;
}

void crowd_close(void)
{
	sim_close();
}

bool crowd_begin(struct crowd *c)
{
	sim_reset();
	if (!crew_open(&c->resting, sim.n) || !crew_open(&c->ready, sim.n) ||
	    !crew_open(&c->inside, sim.n) ||
	    !waiting_room_open(&c->room, sim.watch_room) || !meter_open())
		return false;
	for (unsigned p = 0; p < sim.n; p++)
		crew_join(&c->resting, p);
	return true;
}

void crowd_end(struct crowd *c)
{
	crew_close(&c->resting);
	crew_close(&c->ready);
	crew_close(&c->inside);
	waiting_room_close(&c->room);
	meter_close();
}
