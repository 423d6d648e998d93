/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a process would do if it ran alone from here.  Everything is taken back
 * afterwards.
 */
#include "checker/passage.h"
#include "checker/world.h"

#include <stdlib.h>

enum { ENDLESS = 100000 };

/* Where the process on the stack of p is, which has left its current state. */
static enum phase live_phase(unsigned p)
{
	return (enum phase)sim.actor[p]->phase;
}

/* The stack of p, kept aside while several ways are tried. */
struct aside {
	struct errand errand;
	size_t bytes;
	char at[];
};

static struct aside *put_aside(unsigned p)
{
	const struct errand *e = &sim.errand[p];
	size_t bytes = (size_t)(sim_state_end(p) - e->sp);
	struct aside *s = malloc(sizeof *s + bytes);

	if (s) {
		s->errand = *e;
		s->bytes = bytes;
		memcpy(s->at, e->sp, bytes);
	}
	return s;
}

static void take_back(const struct aside *s, unsigned p)
{
	struct errand *e = &sim.errand[p];
	char *low = e->sp < e->low ? e->sp : e->low;

	*e = s->errand;
	e->low = low < e->low ? low : e->low;
	if (e->low < e->sp)
		sim_clean(p);
	memcpy(e->sp, s->at, s->bytes);
}

/* The pass p is in has come to its end; did it get p anywhere? */
static bool pass_ended(unsigned p, const uint64_t *own, bool *proceeded)
{
	const struct step *step = sim.errand[p].step;

	if (step->kind == STEP_SLEEP) {
		/* Without a word to sleep on it has more to do. */
		*proceeded = sim.change_count > 0 ||
			     ((sim.actor[p]->polls & POLL_PASSES) &&
			      !sim.errand[p].named);
		for (unsigned i = 0; i < sim.own_words; i++)
			*proceeded |= own[i] != sim.actor[p]->own[i];
		return true;
	}
	/* Waiting inside `enter`: whatever is not a look comes after it.  Past
	 * its polls it settles. */
	if (live_phase(p) != PHASE_WAITING || !sim.actor[p]->polls) {
		*proceeded = step->kind != STEP_LOOK;
		return step->kind != STEP_LOOK;
	}
	return false;
}

/* An overlapped read may return anything: p proceeds if it does with all. */
static bool look_around(unsigned p, const uint64_t *own, unsigned steps)
{
	const struct step *step = sim.errand[p].step;
	unsigned values = sim_torn_values((enum step_kind)step->kind,
					  step->word ? sim_index(step->word)
						     : 0);
	bool proceeded;

	if (pass_ended(p, own, &proceeded))
		return proceeded;
	if (steps == 0 || sim.change_count + 4 > sim.change_room)
		return true;
	for (unsigned v = 0; v < values; v++) {
		size_t mark = sim.change_count;
		struct aside *here = NULL;

		if (values > 1) {
			here = put_aside(p);
			if (!here)
				return true;
		}
		sim_perform(p, v);
		sim_resume(p);
		proceeded = look_around(p, own, steps - 1);
		if (here) {
			take_back(here, p);
			sim_undo(mark);
			free(here);
		}
		if (!proceeded)
			return false;
	}
	return true;
}

/* Let p run on from its current state; afterwards that must be put back. */
static void go_alone(struct world *w, unsigned p)
{
	world_load(w, p);
	w->loaded[p] = NULL;
	sim.change_count = 0;
}

static void come_back(struct world *w, unsigned p)
{
	sim_undo(0);
	if (!w->lazy)
		world_load(w, p);
}

static void look_again(unsigned p, uint64_t answer)
{
	sim_forget_pass(p);
	sim.errand[p].step->result = answer;
	sim_resume(p);
}

/* A pass of p from its current state gets it in, or further. */
static bool would_proceed(struct world *w, unsigned p, uint64_t answer)
{
	const struct local *s = w->current[p];
	const uint64_t *own = (const uint64_t *)(const void *)(local_bytes(s) +
							       s->bytes) -
			      sim.own_words;
	enum cost_model cost = sim.cost;
	bool proceeds;

	go_alone(w, p);
	sim.cost = COST_NONE;
	look_again(p, answer);
	proceeds = look_around(p, own, ENDLESS);
	sim.cost = cost;
	come_back(w, p);
	return proceeds;
}

bool world_would_proceed(struct world *w, unsigned p)
{
	return would_proceed(w, p, PASSAGE_LOOK_AGAIN);
}

bool world_nap_helps(struct world *w, unsigned p)
{
	const struct local *s = w->current[p];

	return sim.algorithm->naps && s->kind == STEP_SLEEP && s->polls &&
	       would_proceed(w, p, PASSAGE_SLEPT);
}

/* Alone at the end of a pass: it looks again if that may help, and if not, and
 * it naps, once more after a nap.  False: it is blocked. */
static bool go_on_alone(unsigned p, bool naps)
{
	unsigned polls = sim.actor[p]->polls;
	bool unnamed = (polls & POLL_PASSES) && !sim.errand[p].named;

	if (!naps && (unnamed || sim_watched_changed(p)))
		look_again(p, PASSAGE_LOOK_AGAIN);
	else if (sim.algorithm->naps && polls && !(polls & POLL_SLEPT))
		look_again(p, PASSAGE_SLEPT);
	else
		return false;
	return true;
}

bool world_enters_alone(struct world *w, unsigned p, unsigned steps)
{
	struct errand *e = &sim.errand[p];
	unsigned made = 0, passes = 0;
	bool blocked = false, naps = false;

	/* What it sleeps on may be less than what it has read: no look in vain
	 * comes before its nap. */
	if (sim.algorithm->naps && w->current[p]->kind == STEP_SLEEP)
		naps = !world_would_proceed(w, p);
	go_alone(w, p);
	while (!blocked && live_phase(p) != PHASE_INSIDE) {
		if (e->step->kind == STEP_SLEEP) {
			blocked = !go_on_alone(p, naps) || passes++ == ENDLESS;
			naps = false;
			continue;
		}
		blocked = made++ == steps ||
			  sim.change_count + 4 > sim.change_room;
		sim_perform(p, 0);
		sim_resume(p);
		blocked |= e->step->kind == STEP_AGAIN;
	}
	come_back(w, p);
	return !blocked;
}
