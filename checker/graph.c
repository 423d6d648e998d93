/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/graph.h"

#include "checker/monitor.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 16 };

struct graph *graph_open(size_t memory)
{
	struct graph *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->most_states = memory / 32;
	if (g->most_states > UINT32_MAX / 4)
		g->most_states = UINT32_MAX / 4;
	g->most_edges = memory / sizeof *g->edge;
	g->slots = FIRST_SLOTS;
	g->fingerprint = heap_reserve(g->slots * sizeof *g->fingerprint);
	g->number = heap_reserve(g->slots * sizeof *g->number);
	g->first = heap_reserve((g->most_states + 1) * sizeof *g->first);
	g->flags = heap_reserve(g->most_states * sizeof *g->flags);
	g->edge = heap_reserve(g->most_edges * sizeof *g->edge);
	if (!g->fingerprint || !g->number || !g->first || !g->flags ||
	    !g->edge) {
		graph_close(g);
		return NULL;
	}
	return g;
}

void graph_close(struct graph *g)
{
	heap_release(g->fingerprint, g->slots * sizeof *g->fingerprint);
	heap_release(g->number, g->slots * sizeof *g->number);
	heap_release(g->first, (g->most_states + 1) * sizeof *g->first);
	heap_release(g->flags, g->most_states * sizeof *g->flags);
	heap_release(g->edge, g->most_edges * sizeof *g->edge);
	free(g);
}

bool graph_full(const struct graph *g)
{
	return g->states + MAX_TRANSITIONS > g->most_states ||
	       g->edges + MAX_TRANSITIONS > g->most_edges;
}

uint64_t graph_bytes(const struct graph *g)
{
	return g->slots * (sizeof *g->fingerprint + sizeof *g->number) +
	       g->states * (sizeof *g->first + sizeof *g->flags) +
	       g->edges * sizeof *g->edge;
}

/* The slot of a fingerprint, or the empty slot where it belongs. */
static uint64_t place_of(const struct graph *g, uint64_t fingerprint)
{
	uint64_t at = fingerprint & (g->slots - 1);

	while (g->fingerprint[at] && g->fingerprint[at] != fingerprint)
		at = (at + 1) & (g->slots - 1);
	return at;
}

/* If the table cannot grow, the graph becomes full. */
static void grow(struct graph *g)
{
	struct graph larger = *g;

	larger.slots *= 2;
	larger.fingerprint = heap_reserve(larger.slots *
					  sizeof *g->fingerprint);
	larger.number = heap_reserve(larger.slots * sizeof *g->number);
	if (!larger.fingerprint || !larger.number) {
		heap_release(larger.fingerprint,
			     larger.slots * sizeof *g->fingerprint);
		g->most_states = g->states;
		return;
	}
	for (uint64_t i = 0; i < g->slots; i++) {
		uint64_t at;

		if (!g->fingerprint[i])
			continue;
		at = place_of(&larger, g->fingerprint[i]);
		larger.fingerprint[at] = g->fingerprint[i];
		larger.number[at] = g->number[i];
	}
	heap_release(g->fingerprint, g->slots * sizeof *g->fingerprint);
	heap_release(g->number, g->slots * sizeof *g->number);
	*g = larger;
}

/* Returns the number of the state with this fingerprint, which may be new. */
static uint32_t number_of(struct graph *g, uint64_t hash)
{
	uint64_t at;

	if (g->states > g->slots / 3 * 2)
		grow(g);
	hash += hash == 0;
	at = place_of(g, hash);
	if (!g->fingerprint[at]) {
		g->fingerprint[at] = hash;
		g->number[at] = (uint32_t)g->states++;
	}
	return g->number[at];
}

static uint64_t class_of(const struct world *w, unsigned p)
{
	if (world_is_busy(w, p))
		return CLASS_BUSY;
	return world_is_inside(w, p) ? CLASS_INSIDE : CLASS_REMAINDER;
}

static uint64_t flags_of(const struct world *w, unsigned p, uint64_t enabled)
{
	uint64_t flags = class_of(w, p);

	if (enabled >> p & 1)
		flags |= FLAG_ENABLED;
	if (world_phase(w, p) == PHASE_LEAVING)
		flags |= FLAG_LEAVING;
	if (monitor_has_free_way(w, p))
		flags |= FLAG_FREE_WAY;
	return flags;
}

void graph_add_state(struct graph *g, const struct world *w,
		     uint64_t fingerprint, uint64_t enabled)
{
	uint64_t flags = 0;

	g->current = number_of(g, fingerprint);
	for (unsigned p = 0; p < w->n; p++)
		flags |= flags_of(w, p, enabled) << p * FLAG_BITS;
	g->flags[g->current] = flags;
	g->first[g->current] = NO_EDGES;
	g->n = w->n;
}

uint32_t graph_add_edge(struct graph *g, struct choice choice,
			uint64_t fingerprint)
{
	uint32_t target = number_of(g, fingerprint);

	if (g->first[g->current] == NO_EDGES)
		g->first[g->current] = g->edges;
	else
		g->edge[g->edges - 1].last = 0;
	g->edge[g->edges++] = (struct graph_edge){ target, choice, 1 };
	return target;
}
