/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/components.h"

#include <stdlib.h>

static bool state_in_part(const struct graph *g, struct part part, uint32_t s)
{
	const unsigned p = (unsigned)part.process;

	return part.process < 0 ||
	       (graph_class(g, s, p) == CLASS_BUSY &&
		(g->flags[s] >> p * FLAG_BITS & part.flags) == part.flags);
}

bool components_is_excused(const struct graph *g, struct part part, uint32_t s,
			   unsigned p)
{
	const uint64_t class = graph_class(g, s, p);

	return class == CLASS_REMAINDER || !graph_enabled(g, s, p) ||
	       (part.stays_inside && class == CLASS_INSIDE);
}

/*
 * Whether a process enters or completes a leave by this edge.  A passage may be
 * a single step; then the process is in its remainder before and after the
 * edge.
 */
static bool is_progress(const struct graph *g, uint32_t from,
			const struct graph_edge *e)
{
	uint64_t was = graph_class(g, from, e->choice.process);
	uint64_t is = graph_class(g, e->target, e->choice.process);

	return is == CLASS_REMAINDER || (is == CLASS_INSIDE && was != is);
}

bool components_edge_in_part(const struct graph *g, struct part part,
			     uint32_t from, const struct graph_edge *e)
{
	return state_in_part(g, part, e->target) &&
	       (part.process >= 0 || !is_progress(g, from, e));
}

struct tarjan {
	uint32_t *index, *low; /* index 0: not visited */
	uint32_t *stack;       /* states whose component is incomplete */
	uint32_t stacked;
	struct visit {
		uint32_t state;
		uint64_t edge; /* the next edge to follow */
	} * path;
	uint64_t depth, room;
	uint32_t count;
	bool no_memory;
};

static bool push(struct tarjan *t, const struct graph *g, uint32_t s)
{
	if (t->depth == t->room) {
		struct visit *more = realloc(t->path,
					     2 * t->room * sizeof *more);

		if (!more) {
			t->no_memory = true;
			return false;
		}
		t->path = more;
		t->room *= 2;
	}
	t->index[s] = t->low[s] = ++t->count;
	t->stack[t->stacked++] = s;
	t->path[t->depth++] = (struct visit){ s, g->first[s] };
	return true;
}

static void describe(const struct graph *g, struct part part,
		     const struct tarjan *t, struct component *c)
{
	uint32_t low = t->low[c->member[0]];

	c->steps = 0;
	c->bound = c->busy = ~UINT64_C(0);
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t s = c->member[i];

		for (unsigned p = 0; p < g->n; p++) {
			uint64_t bit = UINT64_C(1) << p;

			if (components_is_excused(g, part, s, p))
				c->bound &= ~bit;
			if (graph_class(g, s, p) != CLASS_BUSY)
				c->busy &= ~bit;
		}
		for (uint64_t e = g->first[s]; e != NO_EDGES; e++) {
			const struct graph_edge *edge = &g->edge[e];

			if (t->low[edge->target] == low &&
			    components_edge_in_part(g, part, s, edge))
				c->steps |= UINT64_C(1) << edge->choice.process;
			if (edge->last)
				break;
		}
	}
}

/* The component with root s is complete: take it from the stack.  Set `low` of
 * all its states to one value, which identifies the component and is above
 * every index. */
static struct component pop(struct tarjan *t, uint32_t s)
{
	struct component c = { NULL, 0, 0, 0, 0 };
	uint32_t from = t->stacked;

	do
		from--;
	while (t->stack[from] != s);
	c.member = t->stack + from;
	c.count = t->stacked - from;
	for (uint32_t i = 0; i < c.count; i++)
		t->low[c.member[i]] = UINT32_MAX - t->index[s];
	t->stacked = from;
	return c;
}

static bool is_complete(const struct tarjan *t, uint32_t s)
{
	return t->low[s] > t->count;
}

/*
 * Follow the next edge of the last state on the path.  Returns false if there
 * are no more edges.
 */
static bool follow(struct tarjan *t, const struct graph *g, struct part part,
		   bool *ok)
{
	struct visit *v = &t->path[t->depth - 1];

	while (v->edge != NO_EDGES) {
		const struct graph_edge *e = &g->edge[v->edge];

		v->edge = e->last ? NO_EDGES : v->edge + 1;
		if (!components_edge_in_part(g, part, v->state, e))
			continue;
		if (!t->index[e->target]) {
			*ok = push(t, g, e->target);
			return true;
		}
		if (!is_complete(t, e->target) &&
		    t->index[e->target] < t->low[v->state])
			t->low[v->state] = t->index[e->target];
	}
	return false;
}

static bool explore(struct tarjan *t, const struct graph *g, struct part part,
		    bool (*fair)(const struct graph *, struct part, unsigned,
				 const struct component *),
		    unsigned crashes, struct component *found)
{
	bool ok = true;

	while (t->depth > 0 && ok) {
		uint32_t s = t->path[t->depth - 1].state;

		if (follow(t, g, part, &ok))
			continue;
		t->depth--;
		if (t->depth > 0) {
			uint32_t up = t->path[t->depth - 1].state;

			if (t->low[s] < t->low[up])
				t->low[up] = t->low[s];
		}
		if (t->low[s] == t->index[s]) {
			*found = pop(t, s);
			describe(g, part, t, found);
			if (fair(g, part, crashes, found))
				return true;
		}
	}
	return false;
}

bool components_find(const struct graph *g, struct part part,
		     bool (*fair)(const struct graph *, struct part, unsigned,
				  const struct component *),
		     unsigned crashes, struct component *found,
		     uint32_t **members)
{
	struct tarjan t = { .room = 1 << 16 };
	bool is_found = false;

	t.index = calloc(g->states, sizeof *t.index);
	t.low = calloc(g->states, sizeof *t.low);
	t.stack = malloc(g->states * sizeof *t.stack);
	t.path = malloc(t.room * sizeof *t.path);
	if (t.index && t.low && t.stack && t.path) {
		for (uint32_t s = 0; s < g->states && !is_found && !t.no_memory;
		     s++)
			if (!t.index[s] && state_in_part(g, part, s) &&
			    push(&t, g, s))
				is_found = explore(&t, g, part, fair, crashes,
						   found);
	}
	if (!t.index || !t.low || !t.path || t.no_memory) {
		free(t.stack);
		t.stack = NULL;
	}
	free(t.index);
	free(t.low);
	free(t.path);
	*members = t.stack;
	return is_found && !t.no_memory;
}
