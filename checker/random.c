/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/random.h"

#include "checker/dice.h"
#include "checker/expand.h"

#include <stdlib.h>

enum policy { UNIFORM, BURSTS, PRIORITIES, POLICIES };
enum { CHANGES = 3, LOCALS = 1 << 30 };

struct gambler {
	struct world world;
	struct expansion x;
	struct dice dice;
	enum policy policy;
	unsigned favourite; /* BURSTS */
	uint64_t priority[MAX_EXHAUSTIVE_N];
	unsigned change[CHANGES];
	unsigned longest; /* schedule so far: change points fall within it */
};

static void new_schedule(struct gambler *g, unsigned number, unsigned depth)
{
	unsigned span = g->longest ? g->longest : depth;

	world_reset(&g->world);
	g->policy = (enum policy)(number % POLICIES);
	for (unsigned p = 0; p < g->world.n; p++)
		g->priority[p] = dice_next(&g->dice) | UINT64_C(1) << 63;
	for (unsigned i = 0; i < CHANGES; i++)
		g->change[i] = dice_below(&g->dice, span + 1);
}

/* The process to move, among those that have an edge. */
static unsigned choose_process(struct gambler *g, uint64_t able, unsigned step)
{
	unsigned best = 0, p;

	if (g->policy == PRIORITIES) {
		for (unsigned i = 0; i < g->world.n; i++)
			if ((able >> i & 1) &&
			    (!(able >> best & 1) ||
			     g->priority[i] > g->priority[best]))
				best = i;
		/* At a change point the leader falls behind everybody. */
		for (unsigned i = 0; i < CHANGES; i++)
			if (g->change[i] == step)
				g->priority[best] = i;
		return best;
	}
	if (g->policy == BURSTS && (able >> g->favourite & 1) &&
	    dice_below(&g->dice, 8))
		return g->favourite;
	do
		p = dice_below(&g->dice, g->world.n);
	while (!(able >> p & 1));
	g->favourite = p;
	return p;
}

static struct edge *choose_edge(struct gambler *g, unsigned step)
{
	struct expansion *x = &g->x;
	uint64_t able = 0;
	unsigned p, count = 0, pick;

	for (unsigned i = 0; i < x->count; i++)
		able |= UINT64_C(1) << x->edge[i]->choice.process;
	if (!able)
		return NULL;
	p = choose_process(g, able, step);
	for (unsigned i = 0; i < x->count; i++)
		count += x->edge[i]->choice.process == p;
	pick = dice_below(&g->dice, count);
	for (unsigned i = 0; i < x->count; i++)
		if (x->edge[i]->choice.process == p && pick-- == 0)
			return x->edge[i];
	return NULL;
}

/* True: no property was violated. */
static bool run_schedule(struct gambler *g, struct control *c, unsigned depth,
			 struct choice *path)
{
	uint32_t overtaken = 0;

	for (unsigned i = 0; i < depth; i++) {
		struct edge *e;

		expand(&g->world, &g->x, NULL, overtaken);
		c->tally[0].states++;
		c->tally[0].transitions += g->x.count;
		if (g->x.refused) {
			control_violated(c, g->x.refused, path, i);
			return false;
		}
		if (g->world.full)
			return true;
		e = choose_edge(g, i);
		if (!e)
			return true;
		path[i] = e->choice;
		if (e->violated) {
			control_violated(c, e->violated, path, i + 1);
			return false;
		}
		overtaken = e->overtaken;
		world_apply(&g->world, e);
		if (i > g->longest)
			g->longest = i;
	}
	return true;
}

void random_run(const struct question *q, struct control *c, uint64_t seed,
		unsigned depth)
{
	struct gambler *g = calloc(1, sizeof *g);
	struct choice *path = malloc((depth + 1) * sizeof *path);

	if (!g || !path || !expansion_open(&g->x) ||
	    !world_open(&g->world, q, LOCALS)) {
		control_set(&c->stop, STOP_MEMORY);
		return;
	}
	dice_seed(&g->dice, seed);
	for (unsigned i = 0; control_get(&c->stop) == STOP_NOT; i++) {
		if (g->world.full) {
			control_set(&c->stop, STOP_MEMORY);
			break;
		}
		new_schedule(g, i, depth);
		if (!run_schedule(g, c, depth, path))
			control_set(&c->stop, STOP_VIOLATED);
		c->tally[0].depth = g->longest + 1;
	}
}
