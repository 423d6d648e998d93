/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/random_search.h"

#include "checker/expand.h"
#include "checker/prng.h"

#include <stdlib.h>

enum policy { UNIFORM, BURSTS, PRIORITIES, POLICIES };
enum { CHANGES = 3, LOCAL_STATE_BYTES = 1 << 30 };

struct random_search {
	struct world world;
	struct expansion x;
	struct prng prng;
	enum policy policy;
	unsigned favourite; /* BURSTS: the process of the current burst */
	uint64_t priority[MAX_EXHAUSTIVE_N];
	unsigned change[CHANGES];
	/* the length of the longest schedule so far; the change points are
	 * within it */
	unsigned longest;
};

static void new_schedule(struct random_search *s, unsigned number,
			 unsigned depth)
{
	unsigned span = s->longest ? s->longest : depth;

	world_reset(&s->world);
	s->policy = (enum policy)(number % POLICIES);
	for (unsigned p = 0; p < s->world.n; p++)
		s->priority[p] = prng_next(&s->prng) | UINT64_C(1) << 63;
	for (unsigned i = 0; i < CHANGES; i++)
		s->change[i] = prng_below(&s->prng, span + 1);
}

/* Choose one of the processes that have a transition. */
static unsigned choose_process(struct random_search *s, uint64_t able,
			       unsigned step)
{
	unsigned best = 0, p;

	if (s->policy == PRIORITIES) {
		for (unsigned i = 0; i < s->world.n; i++)
			if ((able >> i & 1) &&
			    (!(able >> best & 1) ||
			     s->priority[i] > s->priority[best]))
				best = i;
		/* At a change point, the process with the highest priority
		 * gets the lowest priority. */
		for (unsigned i = 0; i < CHANGES; i++)
			if (s->change[i] == step)
				s->priority[best] = i;
		return best;
	}
	if (s->policy == BURSTS && (able >> s->favourite & 1) &&
	    prng_below(&s->prng, 8))
		return s->favourite;
	do
		p = prng_below(&s->prng, s->world.n);
	while (!(able >> p & 1));
	s->favourite = p;
	return p;
}

static struct transition *choose_transition(struct random_search *s,
					    unsigned step)
{
	struct expansion *x = &s->x;
	uint64_t able = 0;
	unsigned p, count = 0, pick;

	for (unsigned i = 0; i < x->count; i++)
		able |= UINT64_C(1) << x->transition[i]->choice.process;
	if (!able)
		return NULL;
	p = choose_process(s, able, step);
	for (unsigned i = 0; i < x->count; i++)
		count += x->transition[i]->choice.process == p;
	pick = prng_below(&s->prng, count);
	for (unsigned i = 0; i < x->count; i++)
		if (x->transition[i]->choice.process == p && pick-- == 0)
			return x->transition[i];
	return NULL;
}

/* Returns true if no property was violated. */
static bool run_schedule(struct random_search *s, struct workers *workers,
			 unsigned depth, struct choice *path)
{
	for (unsigned i = 0; i < depth; i++) {
		struct transition *t;

		expand(&s->world, &s->x, NULL);
		workers->counts[0].states++;
		workers->counts[0].transitions += s->x.count;
		if (s->x.refused) {
			workers_note_violation(workers, s->x.refused, path, i);
			return false;
		}
		if (s->world.full)
			return true;
		t = choose_transition(s, i);
		if (!t)
			return true;
		path[i] = t->choice;
		if (t->violated) {
			workers_note_violation(workers, t->violated, path,
					       i + 1);
			return false;
		}
		transition_apply(&s->world, t);
		if (i > s->longest)
			s->longest = i;
	}
	return true;
}

void random_search_run(const struct question *q, struct workers *workers,
		       uint64_t seed, unsigned depth)
{
	struct random_search *s = calloc(1, sizeof *s);
	struct choice *path = malloc((depth + 1) * sizeof *path);

	if (!s || !path || !expand_open(&s->x) ||
	    !world_open(&s->world, q, LOCAL_STATE_BYTES)) {
		workers_set(&workers->stop, STOP_MEMORY);
		return;
	}
	prng_seed(&s->prng, seed);
	for (unsigned i = 0; workers_get(&workers->stop) == STOP_NOT; i++) {
		if (s->world.full) {
			workers_set(&workers->stop, STOP_MEMORY);
			break;
		}
		new_schedule(s, i, depth);
		if (!run_schedule(s, workers, depth, path))
			workers_set(&workers->stop, STOP_VIOLATED);
		workers->counts[0].depth = s->longest + 1;
	}
}
