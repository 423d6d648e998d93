/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a process would do if it ran alone from here.  Everything is taken back
 * afterwards.
 */
#include "checker/passage.h"
#include "checker/world.h"

#include <stdlib.h>

enum { ENDLESS = 100000 };

/* The pass p is in has come to its end; did it get p anywhere? */
static bool pass_ended(unsigned p, const uint64_t *own, bool *proceeded)
{
	const struct step *step = sim.errand[p].step;

	if (step->kind == STEP_SLEEP) {
		*proceeded = sim.change_count > 0;
		for (unsigned i = 0; i < sim.own_words; i++)
			*proceeded |= own[i] != sim.actor[p]->own[i];
		return true;
	}
	/* Waiting inside `enter`: whatever is not a look comes after it. */
	if (world_phase(p) != PHASE_WAITING || sim.algorithm->enter) {
		*proceeded = step->kind != STEP_LOOK;
		return step->kind != STEP_LOOK;
	}
	return false;
}

/* An overlapped read may return anything: p proceeds if it does with all. */
static bool look_around(unsigned p, const uint64_t *own, unsigned steps)
{
	unsigned values = sim_torn_values(p);
	bool proceeded;

	if (pass_ended(p, own, &proceeded))
		return proceeded;
	if (steps == 0)
		return true;
	for (unsigned v = 0; v < values; v++) {
		size_t mark = sim.change_count;
		struct snapshot *here = NULL;

		if (values > 1) {
			here = malloc(snapshot_room(p));
			if (!here)
				return true;
			snapshot_take(here, p);
		}
		sim_perform(p, v);
		sim_resume(p);
		proceeded = look_around(p, own, steps - 1);
		if (here) {
			snapshot_put(here, p);
			sim_undo(mark);
			free(here);
		}
		if (!proceeded)
			return false;
	}
	return true;
}

bool world_would_proceed(struct world *w, unsigned p)
{
	struct errand *e = &sim.errand[p];
	struct snapshot *before = w->scratch;
	const uint64_t *own;
	enum cost_model cost = sim.cost;
	bool proceeds;

	snapshot_take(before, p);
	own = (const uint64_t *)(const void *)(snapshot_bytes(before) +
					       before->bytes) -
	      sim.own_words;
	sim.change_count = 0;
	sim.cost = COST_NONE;
	e->watch_count = 0;
	e->step->result = PASSAGE_LOOK_AGAIN;
	sim_resume(p);
	proceeds = look_around(p, own, ENDLESS);
	snapshot_put(before, p);
	sim_undo(0);
	sim.cost = cost;
	return proceeds;
}

bool world_enters_alone(struct world *w, unsigned p, unsigned steps)
{
	struct errand *e = &sim.errand[p];
	struct snapshot *before = w->scratch;
	bool blocked = false;

	snapshot_take(before, p);
	sim.change_count = 0;
	for (unsigned i = 0; i <= steps && !blocked &&
			     world_phase(p) != PHASE_INSIDE; i++) {
		if (e->step->kind == STEP_SLEEP) {
			blocked = !sim_watched_changed(p);
			e->watch_count = 0;
			e->step->result = PASSAGE_LOOK_AGAIN;
			sim_resume(p);
			continue;
		}
		sim_perform(p, 0);
		sim_resume(p);
		blocked = e->step->kind == STEP_AGAIN;
	}
	blocked |= world_phase(p) != PHASE_INSIDE;
	snapshot_put(before, p);
	sim_undo(0);
	return !blocked;
}
