/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
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

	for (unsigned p = 0; p < w->n && a->solo_steps; p++)
		if ((overtaken >> p & 1) &&
		    !world_enters_alone(w, p, a->solo_steps(&sim.shape)))
			return FIFE;
	return 0;
}

void expand(struct world *w, struct expansion *x, const struct seen *seen,
	    uint32_t overtaken)
{
	x->room.used = 0;
	x->count = 0;
	x->enabled = 0;
	for (unsigned p = 0; p < w->n; p++)
		if (expand_process(w, x, seen, p))
			x->enabled |= UINT64_C(1) << p;
	x->refused = world_refused(w, x->enabled);
	if (overtaken)
		x->refused |= left_behind(w, overtaken);
}
