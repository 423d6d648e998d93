/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places [--all] [ALGORITHM]: in each scenario a member, the victim, is killed
 * at its first stop, then at its second stop, and so on until it survives.
 * Then the recoverer of the victim is killed, too, for a sample of pairs of
 * stops.  With --all the test tries all pairs for roster with k up to 2.
 */
#include "common/size.h"
#include "scenario.h"
#include "stops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The number of stops depends a little on the schedule.  So a series of kills
 * ends only when SURE runs in a row did not reach the next stop.
 */
enum { SURE = 2, PLACES_MOST = 5000 };

enum { PROGRESS = 10000 }; /* kills between two progress lines */

struct plan {
	bool all;
	unsigned every; /* the test tries one in `every` stops, on average */
	unsigned pairs; /* the number of pairs per scenario */
};

struct reach {
	unsigned long victim, recoverer; /* the most stops seen in a run */
	unsigned long kills;
};

static char where[160];

static struct outcome run_once(struct workers *workers,
			       const struct scenario *scenario,
			       struct reach *reach, uint64_t victim_at,
			       uint64_t recoverer_at)
{
	static unsigned long told;
	struct outcome o;

	snprintf(where, sizeof where, "%s, victim at %ju, recoverer at %ju",
		 scenario->name, (uintmax_t)victim_at, (uintmax_t)recoverer_at);
	workers->where = where;
	if (workers->kills / PROGRESS > told)
		printf("  %lu kills ... %s\n", workers->kills, where);
	told = workers->kills / PROGRESS;
	o = scenario_run(workers, scenario, victim_at, recoverer_at);
	if (o.victim_stops > reach->victim)
		reach->victim = o.victim_stops;
	if (o.recoverer_stops > reach->recoverer)
		reach->recoverer = o.recoverer_stops;
	return o;
}

/* Kills the victim at every stop that the plan selects. */
static void run_places(struct workers *workers, const struct scenario *scenario,
		       const struct plan *plan, struct reach *reach)
{
	unsigned survived = 0;
	uint64_t at = 1;

	if (scenario->action == HOLDS) {
		run_once(workers, scenario, reach, NEVER, NEVER);
		return;
	}
	while (survived < SURE && at < PLACES_MOST) {
		if (run_once(workers, scenario, reach, at, NEVER).victim ==
		    KILLED) {
			survived = 0;
			at += 1 + prng_next(&workers->random) %
					  (2 * plan->every - 1);
		} else {
			survived++;
		}
	}
}

/* Kills the recoverer at every stop, for every stop of the victim. */
static void run_all_pairs(struct workers *workers,
			  const struct scenario *scenario, struct reach *reach)
{
	unsigned long last = scenario->action == HOLDS ? 1 : reach->victim;

	for (uint64_t at = 1; at <= last; at++) {
		unsigned survived = 0;
		uint64_t recoverer_at = 1;

		while (survived < SURE && recoverer_at < PLACES_MOST)
			if (run_once(workers, scenario, reach, at, recoverer_at)
				    .recoverer == KILLED) {
				survived = 0;
				recoverer_at++;
			} else {
				survived++;
			}
	}
}

static void run_some_pairs(struct workers *workers,
			   const struct scenario *scenario, struct reach *reach,
			   unsigned pairs)
{
	while (pairs-- > 0)
		run_once(workers, scenario, reach,
			 1 + prng_next(&workers->random) % (reach->victim + 1),
			 1 + prng_next(&workers->random) %
					 (reach->recoverer + 1));
}

static void run_scenario(struct workers *workers,
			 const struct scenario *scenario,
			 const struct plan *plan)
{
	unsigned long before = workers->kills, single;
	struct reach reach = { 0 };
	double start = clock_seconds();

	if (scenario->action == RESIZES && !workers->algorithm->resize)
		return;
	run_places(workers, scenario, plan, &reach);
	single = workers->kills - before;
	if (plan->all)
		run_all_pairs(workers, scenario, &reach);
	else
		run_some_pairs(workers, scenario, &reach, plan->pairs);
	printf("%6lu kills  %-14s k=%u  %-40s stops %3lu, recoverer's %3lu; "
	       "%lu single, %lu more; %.1f s\n",
	       workers->kills, workers->shape.algorithm, workers->shape.k,
	       scenario->name, reach.victim, reach.recoverer, single,
	       workers->kills - before - single, clock_seconds() - start);
}

static void run_scenarios(struct workers *workers, const struct algorithm *a,
			  unsigned k, const struct plan *plan)
{
	const bool group = a->kind == KIND_GROUP_EXCLUSION;
	struct atmost_shape shape = {
		.kind = group ? ATMOST_GROUP : ATMOST_EXCLUSION,
		.k = k,
		.k_max = a->resize ? k + 1 : k,
		.members = (k ? k : 1) + 2 + WAITERS,
		.algorithm = a->name,
	};

	if (k == 0)
		shape.k_max = shape.members;
	workers_open_pool(workers, &shape);
	for (unsigned i = 0; i < scenario_count; i++)
		run_scenario(workers, &scenarios[i], plan);
	cost_check(workers);
	idle_pool_check(workers);
	workers_close_pool(workers);
}

/* Most pools use roster, so roster gets the most runs.  Operations of group
 * pools take many steps, so the test skips about half of their stops. */
static const struct plan *choose_plan(const struct algorithm *a, unsigned k,
				      bool all)
{
	static const struct plan fewest = { false, 8, 1 };
	static const struct plan few = { false, 4, 2 };
	static const struct plan some = { false, 1, 10 };
	static const struct plan long_ones = { false, 2, 10 };
	static const struct plan many = { false, 1, 300 };
	static const struct plan every = { true, 1, 0 };
	const bool first = strcmp(a->name, "roster") == 0;

	if (all)
		return first && k <= 2 ? &every : &many;
	if (size_is_small())
		return &fewest;
	if (a->kind == KIND_GROUP_EXCLUSION)
		return &long_ones;
	return first ? &some : &few;
}

/* For group pools the test also uses k = 0, which means no limit. */
static void run_algorithm(struct workers *workers, const struct algorithm *a,
			  bool all)
{
	const unsigned last = all ? 4 : 2;

	if (a->kind == KIND_GROUP_EXCLUSION)
		run_scenarios(workers, a, 0, choose_plan(a, 0, all));
	if (a->kind == KIND_GROUP_EXCLUSION && !(a->promises & AT_MOST_K))
		return;
	for (unsigned k = 1; k <= last; k *= 2)
		if (!a->limits.most_k || k <= a->limits.most_k)
			run_scenarios(workers, a, k, choose_plan(a, k, all));
}

int main(int argc, char **argv)
{
	const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
	const char *only = argc > 1 + all ? argv[1 + all] : NULL;
	const struct algorithm *a;
	struct workers workers;

	workers_open(&workers);
	/* Spinning longer would only repeat the same stops. */
	wait_policy.pauses = 0;
	wait_policy.yields = 2;
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		if (!only || strcmp(only, a->name) == 0)
			run_algorithm(&workers, a, all);
	printf("ok: %lu kills at chosen places: all other members got in, and "
	       "every slot came back\n",
	       workers.kills);
	workers_close(&workers);
	return 0;
}
