/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * By weak fairness, a run may stay in a strongly connected component for ever
 * if every process either steps in the component or is excused in a state of
 * the component.  A process is excused in a state if it is in its remainder or
 * not enabled.  For concurrent-occupancy it is also excused while it is inside.
 */
#include "checker/fair_cycles.h"

#include "checker/components.h"

#include <stdlib.h>

/* The processes that could step in every state of the component but never step:
 * they count as crashed. */
static uint64_t crashed(const struct graph *g, const struct component *c)
{
	return c->bound & ~c->steps & ((UINT64_C(1) << g->n) - 1);
}

static bool starves(const struct graph *g, struct part part, unsigned crashes,
		    const struct component *c)
{
	uint64_t stopped = crashed(g, c);

	return !(stopped >> part.process & 1) &&
	       (unsigned)__builtin_popcountll(stopped) <= crashes;
}

static bool livelocks(const struct graph *g, struct part part, unsigned crashes,
		      const struct component *c)
{
	(void)part;
	(void)crashes;
	return !crashed(g, c) && (c->busy & ((UINT64_C(1) << g->n) - 1));
}

/* The process makes steps for ever, whatever the other processes do. */
static bool never_ends(const struct graph *g, struct part part,
		       unsigned crashes, const struct component *c)
{
	(void)g;
	(void)crashes;
	return c->steps >> part.process & 1;
}

/* A breadth-first search for shortest paths, which together make a schedule. */
struct route {
	uint32_t *from; /* from[s]: 1 + predecessor of s; 0: not reached */
	struct choice *by;
	uint32_t *queue;
	struct schedule *out;
	uint32_t most; /* choices for which `out` has room */
	bool too_long; /* a path did not fit into `out` */
};

static bool open_route(struct route *r, const struct graph *g,
		       struct schedule *out, uint32_t most)
{
	r->out = out;
	r->out->length = 0;
	r->most = most;
	r->too_long = false;
	r->from = malloc(g->states * sizeof *r->from);
	r->by = malloc(g->states * sizeof *r->by);
	r->queue = malloc(g->states * sizeof *r->queue);
	return r->from && r->by && r->queue;
}

static void close_route(struct route *r)
{
	free(r->from);
	free(r->by);
	free(r->queue);
}

/* Append the path from `start` to `last_from`, and then the choice `last`. */
static void append_path(struct route *r, uint32_t start, uint32_t last_from,
			struct choice last)
{
	struct schedule *out = r->out;
	uint32_t length = 0;

	for (uint32_t s = last_from; s != start; s = r->from[s] - 1)
		length++;
	/* A schedule in which a path is missing would violate nothing. */
	r->too_long |= length >= r->most - out->length;
	if (r->too_long)
		return;
	out->choice[out->length + length] = last;
	for (uint32_t s = last_from, i = length; s != start; s = r->from[s] - 1)
		out->choice[out->length + --i] = r->by[s];
	out->length += length + 1;
}

/*
 * Append to the schedule a shortest path from `start` to a state in `goal`.
 * within: if not NULL, the path stays in these states and in the part.  p: if
 * not negative, process p makes the last step of the path.  Returns the last
 * state of the path, or UINT32_MAX if there is no path.
 */
static uint32_t append_route(struct route *r, const struct graph *g,
			     struct part part, uint32_t start,
			     const uint8_t *goal, const uint8_t *within, int p)
{
	uint32_t head = 0, tail = 0, end = UINT32_MAX;
	uint32_t last_from = start;
	struct choice last = { 0, 0, 0 };

	memset(r->from, 0, g->states * sizeof *r->from);
	r->queue[tail++] = start;
	r->from[start] = start + 1;
	if (goal[start] && p < 0)
		return start;
	while (head < tail && end == UINT32_MAX) {
		uint32_t s = r->queue[head++];

		for (uint64_t e = g->first[s]; e != NO_EDGES; e++) {
			const struct graph_edge *edge = &g->edge[e];
			uint32_t to = edge->target;

			if ((!within ||
			     (within[to] &&
			      components_edge_in_part(g, part, s, edge)))) {
				if (goal[to] &&
				    (p < 0 || edge->choice.process == p)) {
					end = to;
					last = edge->choice;
					last_from = s;
					break;
				}
				if (!r->from[to]) {
					r->from[to] = s + 1;
					r->by[to] = edge->choice;
					r->queue[tail++] = to;
				}
			}
			if (edge->last)
				break;
		}
	}
	if (end != UINT32_MAX)
		append_path(r, start, last_from, last);
	return end;
}

/* Mark the states of the component in which p is excused. */
static void mark_excuses(const struct graph *g, struct part part,
			 const struct component *c, unsigned p, uint8_t *goal)
{
	for (uint32_t i = 0; i < c->count; i++)
		goal[c->member[i]] = components_is_excused(g, part,
							   c->member[i], p);
}

/*
 * Write a path to the component, then a cycle in the component.  The cycle is
 * fair by itself: every process that steps in the component steps in the cycle,
 * and every other process has crashed or is excused in a state of the cycle.
 * Returns false if there is no room or no memory for this schedule.
 */
static bool write_lasso(const struct graph *g, struct part part,
			const struct component *c, uint32_t most,
			struct workers *workers)
{
	uint8_t *in = calloc(g->states, 1), *home = calloc(g->states, 1);
	uint8_t *goal = calloc(g->states, 1);
	struct route r;
	uint32_t at, entry, stem;
	bool written = false;

	if (open_route(&r, g, &workers->found, most) && in && home && goal) {
		for (uint32_t i = 0; i < c->count; i++)
			in[c->member[i]] = 1;
		entry = append_route(&r, g, part, 0, in, NULL, -1);
		stem = workers->found.length;
		at = entry;
		for (unsigned p = 0; p < g->n; p++) {
			if (c->steps >> p & 1) {
				at = append_route(&r, g, part, at, in, in,
						  (int)p);
			} else if (!(crashed(g, c) >> p & 1)) {
				mark_excuses(g, part, c, p, goal);
				at = append_route(&r, g, part, at, goal, in,
						  -1);
			}
		}
		home[entry] = 1;
		if (c->steps)
			append_route(&r, g, part, at, home, in, -1);
		workers->loop = workers->found.length - stem;
		written = !r.too_long;
	}
	close_route(&r);
	free(in);
	free(home);
	free(goal);
	return written;
}

static void report(const struct graph *g, struct part part,
		   const struct component *c, unsigned property, uint32_t most,
		   struct workers *workers)
{
	if (workers->violated & property)
		return;
	if (!workers->first && write_lasso(g, part, c, most, workers))
		workers->first = property;
	workers->violated |= property;
}

typedef bool predicate(const struct graph *, struct part, unsigned,
		       const struct component *);

static void look_for(const struct graph *g, struct part part,
		     predicate *violates, unsigned property,
		     const struct question *q, uint32_t most,
		     struct workers *workers)
{
	struct component found;
	uint32_t *members = NULL;

	if (components_find(g, part, violates, q->crashes, &found, &members))
		report(g, part, &found, property, most, workers);
	else if (!members)
		workers_set(&workers->stop, STOP_MEMORY);
	free(members);
}

/*
 * Whether the search for starvation has already answered the question.  A
 * component in which a process leaves for ever violates no-starvation, too.  So
 * does a component that violates no-wait-below-k, if k-1 processes may crash:
 * in such a component fewer than k other processes can have stopped.
 */
static bool is_answered(const struct question *q, unsigned property,
			const struct workers *workers)
{
	if (!(q->asked & property) || (workers->violated & property))
		return true;
	if (!(q->asked & NO_STARVATION) || (workers->violated & NO_STARVATION))
		return false;
	return property == EXIT_TERMINATION ||
	       (property == NO_WAIT_BELOW_K &&
		q->crashes + 1 >= question_least_k(q));
}

void fair_cycles_find(const struct graph *g, const struct question *q,
		      uint32_t most, struct workers *workers)
{
	static const struct {
		unsigned property;
		predicate *violates;
		uint64_t flags;
		bool stays_inside;
	} of_one[] = {
		{ NO_STARVATION, starves, 0, false },
		{ EXIT_TERMINATION, starves, FLAG_LEAVING, false },
		{ CONCURRENT_OCCUPANCY, starves, FLAG_FREE_WAY, true },
		{ NO_WAIT_BELOW_K, never_ends, FLAG_FREE_WAY, false },
	};

	for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
		for (unsigned p = 0;
		     p < g->n && !is_answered(q, of_one[i].property, workers);
		     p++)
			look_for(g,
				 (struct part){ (int)p, of_one[i].flags,
						of_one[i].stays_inside },
				 of_one[i].violates, of_one[i].property, q,
				 most, workers);
	if (q->asked & NO_DEADLOCK)
		look_for(g, (struct part){ .process = -1 }, livelocks,
			 NO_DEADLOCK, q, most, workers);
}
