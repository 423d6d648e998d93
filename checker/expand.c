/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/expand.h"

#include <sys/mman.h>

bool expansion_open(struct expansion *x)
{
	memset(x, 0, sizeof *x);
	x->room.size = EXPAND_ROOM;
	x->room.base = mmap(NULL, x->room.size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return x->room.base != MAP_FAILED;
}

void expansion_close(struct expansion *x)
{
	munmap(x->room.base, x->room.size);
}

/* The edges of p; true: p is enabled, whatever value torn reads return. */
static bool expand_process(struct world *w, struct expansion *x,
			   const struct seen *seen, unsigned p)
{
	struct choice choices[MAX_CHOICES];
	unsigned count = world_choices(w, p, choices);
	bool moves = false, blocked = false;

	for (unsigned i = 0; i < count; i++) {
		struct edge *e = world_try(w, choices[i], &x->room);

		if (!e) {
			blocked = true;
			continue;
		}
		moves |= choices[i].act == ACT_STEP ||
			 choices[i].act == ACT_START;
		if (seen)
			seen_prefetch(seen, e->hash);
		/* No room to explore it: then nothing must be said to hold. */
		if (x->count == MAX_EDGES) {
			w->full = true;
			break;
		}
		x->edge[x->count++] = e;
	}
	if (moves && w->current[p]->kind == STEP_SLEEP && !sim.wakes_are_steps)
		return world_would_proceed(w, p);
	return moves && !blocked;
}

static unsigned left_behind(struct world *w, uint32_t overtaken)
{
	const struct algorithm *a = sim.algorithm;

	for (unsigned p = 0; p < w->n && a->bounds.solo_steps; p++)
		if ((overtaken >> p & 1) &&
		    !world_enters_alone(w, p, a->bounds.solo_steps(&sim.shape)))
			return FIFE;
	return 0;
}

/* So many outside their remainders are enabled. */
static unsigned count_active(const struct world *w, uint64_t enabled)
{
	unsigned active = 0;

	for (unsigned p = 0; p < w->n; p++)
		active += (enabled >> p & 1) &&
			  world_phase(w, p) != PHASE_REMAINDER;
	return active;
}

static void add_nap(struct world *w, struct expansion *x, unsigned p)
{
	if (x->count == MAX_EDGES)
		w->full = true;
	else
		x->edge[x->count++] = world_try(
			w, (struct choice){ (uint8_t)p, ACT_NAP, 0 }, &x->room);
}

/*
 * A nap is over when nothing else moves: where those that could are so few
 * that they may have stopped for ever.  Who has been overtaken must get
 * further by itself: there it counts that a nap would help, whenever it ends.
 * Returns whom a nap would help.
 */
static uint64_t expand_naps(struct world *w, struct expansion *x)
{
	bool still = count_active(w, x->enabled) <= w->question->crashes;
	uint64_t nappers = 0;

	for (unsigned p = 0; p < w->n; p++) {
		uint64_t bit = UINT64_C(1) << p;

		if ((x->enabled & bit) ||
		    !(still || (w->monitor.overtaken & bit)) ||
		    !world_nap_helps(w, p))
			continue;
		nappers |= bit;
		if (still)
			add_nap(w, x, p);
	}
	if (still)
		x->enabled |= nappers;
	return nappers;
}

void expand(struct world *w, struct expansion *x, const struct seen *seen,
	    uint32_t overtaken)
{
	uint64_t nappers = 0;

	x->room.used = 0;
	x->count = 0;
	x->enabled = 0;
	for (unsigned p = 0; p < w->n; p++)
		if (expand_process(w, x, seen, p))
			x->enabled |= UINT64_C(1) << p;
	if (sim.algorithm->naps && !sim.wakes_are_steps)
		nappers = expand_naps(w, x);
	x->refused = world_refused(w, x->enabled, nappers);
	if (overtaken)
		x->refused |= left_behind(w, overtaken);
}
