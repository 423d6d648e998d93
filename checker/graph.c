/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "checker/graph.h"

#include "checker/components.h"

#include <stdlib.h>
#include <sys/mman.h>

static void *reserve(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/*
 * Room for everything is reserved at once and touched as it fills: a state
 * costs 12 bytes of table at most half full, 16 of its own, and 8 an edge.
 */
struct graph *graph_open(size_t memory)
{
	struct graph *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->most_states = memory / 100;
	if (g->most_states > UINT32_MAX / 4)
		g->most_states = UINT32_MAX / 4;
	g->most_edges = g->most_states * 5;
	g->slots = 1 << 16;
	while (g->slots < g->most_states * 2)
		g->slots *= 2;
	g->fingerprint = reserve(g->slots * sizeof *g->fingerprint);
	g->number = reserve(g->slots * sizeof *g->number);
	g->first = reserve((g->most_states + 1) * sizeof *g->first);
	g->flags = reserve(g->most_states * sizeof *g->flags);
	g->edge = reserve(g->most_edges * sizeof *g->edge);
	if (!g->fingerprint || !g->number || !g->first || !g->flags ||
	    !g->edge) {
		graph_close(g);
		return NULL;
	}
	return g;
}

void graph_close(struct graph *g)
{
	munmap(g->fingerprint, g->slots * sizeof *g->fingerprint);
	munmap(g->number, g->slots * sizeof *g->number);
	munmap(g->first, (g->most_states + 1) * sizeof *g->first);
	munmap(g->flags, g->most_states * sizeof *g->flags);
	munmap(g->edge, g->most_edges * sizeof *g->edge);
	free(g);
}

bool graph_full(const struct graph *g)
{
	return g->states + MAX_EDGES_A_STATE > g->most_states ||
	       g->edges + MAX_EDGES_A_STATE > g->most_edges;
}

uint64_t graph_bytes(const struct graph *g)
{
	return g->states * (12 * 2 + 16) + g->edges * sizeof *g->edge;
}

static uint32_t number_of(struct graph *g, uint64_t hash, bool *is_new)
{
	uint64_t at = hash & (g->slots - 1);

	hash += hash == 0;
	while (g->fingerprint[at] && g->fingerprint[at] != hash)
		at = (at + 1) & (g->slots - 1);
	*is_new = !g->fingerprint[at];
	if (*is_new) {
		g->fingerprint[at] = hash;
		g->number[at] = (uint32_t)g->states++;
	}
	return g->number[at];
}

static uint64_t class_of(enum phase phase)
{
	switch (phase) {
	case PHASE_REMAINDER:
		return CLASS_REMAINDER;
	case PHASE_DOORWAY:
	case PHASE_WAITING:
		return CLASS_TRYING;
	case PHASE_INSIDE:
		return CLASS_INSIDE;
	default:
		return CLASS_LEAVING;
	}
}

void graph_state(struct graph *g, const struct world *w, uint64_t enabled)
{
	bool is_new;
	uint64_t flags = 0;

	g->current = number_of(g, w->hash, &is_new);
	for (unsigned p = 0; p < w->n; p++)
		flags |= (class_of(world_phase(w, p)) |
			  (enabled >> p & 1 ? FLAG_ENABLED : 0))
			 << p * FLAG_BITS;
	g->flags[g->current] = flags;
	g->first[g->current] = NO_EDGES;
	g->n = w->n;
}

bool graph_edge(struct graph *g, const struct edge *e)
{
	bool is_new;
	uint32_t target = number_of(g, e->hash, &is_new);

	if (has_edges(g, g->current))
		g->edge[g->edges - 1].last = 0;
	else
		g->first[g->current] = g->edges;
	g->edge[g->edges++] = (struct graph_edge){ target, e->choice, 1 };
	return is_new;
}
