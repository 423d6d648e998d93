/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds strongly connected sets of states by two depth-first searches
 * (Kosaraju).  The first search follows the edges.  The second search follows
 * the edges backwards, and begins with the state that the first search left
 * last.
 */
#include "cycles.h"

#include "monitors.h"

#include <stdlib.h>
#include <string.h>

/* The part of the graph in which cycles are sought. */
struct part {
	/* the part has only states in which this process is busy; -1: it has
	 * all states, but no transitions that are progress */
	int process;
	/* the part has only states about which this property says something */
	unsigned property;
};

struct sets {
	const struct graph *graph;
	struct part part;
	uint32_t *set;   /* set[s]: number of its set, from 1 on */
	uint32_t *order; /* states in the order in which a search left them */
	uint32_t count;
	uint8_t *seen;
	struct reverse {
		uint32_t *from;
		uint32_t count;
	} * reverse;
};

static enum phase phase_of(const struct graph *g, uint32_t s, unsigned p)
{
	return (enum phase)g->node[s].state->member[p].phase;
}

/* An operation of an object must end; a critical section need not. */
static bool is_busy(enum phase phase)
{
	return phase != PHASE_REMAINDER &&
	       (phase != PHASE_INSIDE || program.code[BODY_APPLY].exists);
}

static bool in_part(const struct graph *g, struct part part, uint32_t s)
{
	const unsigned p = (unsigned)part.process;

	if (part.process < 0)
		return true;
	switch (part.property) {
	case EXIT_TERMINATION:
		return phase_of(g, s, p) == PHASE_LEAVING;
	case CONCURRENT_OCCUPANCY:
		return monitors_must_enter(g->node[s].state, p);
	case NO_WAIT_BELOW_K:
		return is_busy(phase_of(g, s, p)) &&
		       monitors_is_below_k(g->node[s].state, p);
	default:
		return is_busy(phase_of(g, s, p));
	}
}

static bool is_progress(const struct graph *g, uint32_t from, struct edge e)
{
	enum phase was = phase_of(g, from, e.process);
	enum phase is = phase_of(g, e.to, e.process);

	return is == PHASE_REMAINDER ||
	       (is == PHASE_INSIDE && was != is && !is_busy(is));
}

static bool edge_in_part(const struct graph *g, struct part part, uint32_t from,
			 struct edge e)
{
	return in_part(g, part, from) && in_part(g, part, e.to) &&
	       (part.process >= 0 || !is_progress(g, from, e));
}

/* A depth-first search along the edges.  It appends each state to `order` when
 * it leaves the state. */
static void search(struct sets *x, uint32_t s)
{
	const struct node *node = &x->graph->node[s];

	x->seen[s] = 1;
	for (unsigned i = 0; i < node->edges; i++)
		if (!x->seen[node->edge[i].to] &&
		    edge_in_part(x->graph, x->part, s, node->edge[i]))
			search(x, node->edge[i].to);
	x->order[x->count++] = s;
}

/* A search that follows the edges backwards.  All states that it reaches belong
 * to `set`. */
static void collect(struct sets *x, uint32_t s, uint32_t set)
{
	x->set[s] = set;
	for (uint32_t i = 0; i < x->reverse[s].count; i++)
		if (!x->set[x->reverse[s].from[i]])
			collect(x, x->reverse[s].from[i], set);
}

static void reverse_edges(struct sets *x)
{
	const struct graph *g = x->graph;

	for (uint32_t s = 0; s < g->count; s++) {
		for (unsigned i = 0; i < g->node[s].edges; i++) {
			struct edge e = g->node[s].edge[i];
			struct reverse *r = &x->reverse[e.to];

			if (!edge_in_part(g, x->part, s, e))
				continue;
			r->from = realloc(r->from,
					  (r->count + 1) * sizeof *r->from);
			if (!r->from)
				abort();
			r->from[r->count++] = s;
		}
	}
}

/* What holds for a strongly connected set. */
struct facts {
	unsigned always; /* enabled and outside the remainder in all states */
	unsigned steps;  /* processes that step in it */
	unsigned busy;   /* processes that are busy in all its states */
};

static void add_facts(const struct sets *x, uint32_t s, struct facts *f)
{
	const struct graph *g = x->graph;
	const struct node *node = &g->node[s];

	for (unsigned p = 0; p < program.n; p++) {
		enum phase phase = phase_of(g, s, p);

		if (phase == PHASE_REMAINDER || !(node->enabled >> p & 1) ||
		    (phase == PHASE_INSIDE &&
		     x->part.property == CONCURRENT_OCCUPANCY))
			f->always &= ~(1u << p);
		if (!is_busy(phase))
			f->busy &= ~(1u << p);
	}
	for (unsigned i = 0; i < node->edges; i++)
		if (x->set[node->edge[i].to] == x->set[s] &&
		    edge_in_part(g, x->part, s, node->edge[i]))
			f->steps |= 1u << node->edge[i].process;
}

static bool violates(const struct facts *f, struct part part)
{
	const unsigned all = (1u << program.n) - 1;
	unsigned stopped = f->always & ~f->steps & all;

	if (part.process < 0)
		return stopped == 0 && (f->busy & all);
	if (part.property == NO_WAIT_BELOW_K)
		return f->steps >> part.process & 1;
	return !(stopped >> part.process & 1) &&
	       (unsigned)__builtin_popcount(stopped) <= program.crashes;
}

static bool any_violates(const struct sets *x, uint32_t sets)
{
	struct facts *facts = malloc((sets + 1) * sizeof *facts);
	bool found = false;

	if (!facts)
		abort();
	for (uint32_t i = 1; i <= sets; i++)
		facts[i] = (struct facts){ ~0u, 0, ~0u };
	for (uint32_t s = 0; s < x->graph->count; s++)
		if (x->set[s])
			add_facts(x, s, &facts[x->set[s]]);
	for (uint32_t i = 1; i <= sets; i++)
		found |= violates(&facts[i], x->part);
	free(facts);
	return found;
}

static bool has_violation(const struct graph *g, struct part part)
{
	struct sets x = { .graph = g, .part = part };
	uint32_t sets = 0;
	bool found;

	x.set = calloc(g->count, sizeof *x.set);
	x.order = calloc(g->count, sizeof *x.order);
	x.seen = calloc(g->count, 1);
	x.reverse = calloc(g->count, sizeof *x.reverse);
	if (!x.set || !x.order || !x.seen || !x.reverse)
		abort();
	for (uint32_t s = 0; s < g->count; s++)
		if (!x.seen[s] && in_part(g, part, s))
			search(&x, s);
	reverse_edges(&x);
	for (uint32_t i = x.count; i-- > 0;)
		if (!x.set[x.order[i]])
			collect(&x, x.order[i], ++sets);
	found = any_violates(&x, sets);
	for (uint32_t s = 0; s < g->count; s++)
		free(x.reverse[s].from);
	free(x.reverse);
	free(x.set);
	free(x.order);
	free(x.seen);
	return found;
}

unsigned cycles_refused(const struct graph *g)
{
	static const unsigned of_one[] = { NO_STARVATION, EXIT_TERMINATION,
					   CONCURRENT_OCCUPANCY,
					   NO_WAIT_BELOW_K };
	unsigned refused = 0;

	for (unsigned i = 0; i < sizeof of_one / sizeof *of_one; i++)
		for (int p = 0; p < (int)program.n; p++)
			if ((monitors_asked() & of_one[i]) &&
			    has_violation(g, (struct part){ p, of_one[i] }))
				refused |= of_one[i];
	if ((monitors_asked() & NO_DEADLOCK) &&
	    has_violation(g, (struct part){ -1, NO_DEADLOCK }))
		refused |= NO_DEADLOCK;
	return refused;
}
