/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places [--all] [ALGORITHM]: a member is killed at its first stop in a scene,
 * at its second, and so on until it survives; and so is who recovers it, for a
 * sample of pairs or, of roster with k up to 2, for all.
 */
#include "scene.h"
#include "stops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * How many stops there are depends a little on who comes first: a place counts
 * as past the end when it was not reached so many times in a row.
 */
enum { SURE = 2, PLACES_MOST = 5000 };

enum { PROGRESS = 10000 }; /* kills between two lines */

struct plan {
	bool all;
	unsigned every; /* one place in so many */
	unsigned pairs; /* so many of a scene */
};

struct reach {
	unsigned long victim, heir; /* stops that were seen */
	unsigned long kills;
};

static char where[160];

static struct outcome play(struct cast *cast, const struct scene *scene,
			   struct reach *reach, uint64_t victim_at,
			   uint64_t heir_at)
{
	static unsigned long told;
	struct outcome o;

	snprintf(where, sizeof where, "%s, victim at %ju, heir at %ju",
		 scene->name, (uintmax_t)victim_at, (uintmax_t)heir_at);
	cast->where = where;
	if (cast->kills / PROGRESS > told)
		printf("  %lu kills ... %s\n", cast->kills, where);
	told = cast->kills / PROGRESS;
	o = scene_play(cast, scene, victim_at, heir_at);
	if (o.victim_stops > reach->victim)
		reach->victim = o.victim_stops;
	if (o.heir_stops > reach->heir)
		reach->heir = o.heir_stops;
	return o;
}

/* Every place of the victim. */
static void play_places(struct cast *cast, const struct scene *scene,
			const struct plan *plan, struct reach *reach)
{
	unsigned survived = 0;
	uint64_t at = 1;

	if (scene->deed == HOLDS) {
		play(cast, scene, reach, NEVER, NEVER);
		return;
	}
	while (survived < SURE && at < PLACES_MOST) {
		if (play(cast, scene, reach, at, NEVER).victim == KILLED) {
			survived = 0;
			at += 1 +
			      cast_draw(&cast->random) % (2 * plan->every - 1);
		} else {
			survived++;
		}
	}
}

/* Every place of the heir, for each of the victim. */
static void play_all_pairs(struct cast *cast, const struct scene *scene,
			   struct reach *reach)
{
	unsigned long last = scene->deed == HOLDS ? 1 : reach->victim;

	for (uint64_t at = 1; at <= last; at++) {
		unsigned survived = 0;
		uint64_t heir_at = 1;

		while (survived < SURE && heir_at < PLACES_MOST)
			if (play(cast, scene, reach, at, heir_at).heir ==
			    KILLED) {
				survived = 0;
				heir_at++;
			} else {
				survived++;
			}
	}
}

static void play_some_pairs(struct cast *cast, const struct scene *scene,
			    struct reach *reach, unsigned pairs)
{
	while (pairs-- > 0)
		play(cast, scene, reach,
		     1 + cast_draw(&cast->random) % (reach->victim + 1),
		     1 + cast_draw(&cast->random) % (reach->heir + 1));
}

static void play_scene(struct cast *cast, const struct scene *scene,
		       const struct plan *plan)
{
	unsigned long before = cast->kills, single;
	struct reach reach = { 0 };
	double start = cast_now();

	if (scene->deed == RESIZES && !cast->algorithm->resize)
		return;
	play_places(cast, scene, plan, &reach);
	single = cast->kills - before;
	if (plan->all)
		play_all_pairs(cast, scene, &reach);
	else
		play_some_pairs(cast, scene, &reach, plan->pairs);
	printf("%6lu kills  %-14s k=%u  %-40s stops %3lu, heir's %3lu; %lu "
	       "single, %lu more; %.1f s\n",
	       cast->kills, cast->shape.algorithm, cast->shape.k, scene->name,
	       reach.victim, reach.heir, single, cast->kills - before - single,
	       cast_now() - start);
}

static void play_scenes(struct cast *cast, const struct algorithm *a,
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
	cast_object(cast, &shape);
	for (unsigned i = 0; i < scene_count; i++)
		play_scene(cast, &scenes[i], plan);
	price_check(cast);
	aftermath_check(cast);
	cast_finish(cast);
}

/* Those that most objects have get most of it; a group's operations are long. */
static const struct plan *choose_plan(const struct algorithm *a, unsigned k,
				      bool all)
{
	static const struct plan few = { false, 4, 2 };
	static const struct plan some = { false, 1, 10 };
	static const struct plan long_ones = { false, 2, 10 };
	static const struct plan many = { false, 1, 300 };
	static const struct plan every = { true, 1, 0 };
	const bool first = strcmp(a->name, "roster") == 0;

	if (all)
		return first && k <= 2 ? &every : &many;
	if (a->kind == KIND_GROUP_EXCLUSION)
		return &long_ones;
	return first ? &some : &few;
}

/* Groups also without a limit: k = 0. */
static void play_algorithm(struct cast *cast, const struct algorithm *a,
			   bool all)
{
	const unsigned last = all ? 4 : 2;

	if (a->kind == KIND_GROUP_EXCLUSION)
		play_scenes(cast, a, 0, choose_plan(a, 0, all));
	for (unsigned k = 1; k <= last; k *= 2)
		if (!a->limits.most_k || k <= a->limits.most_k)
			play_scenes(cast, a, k, choose_plan(a, k, all));
}

int main(int argc, char **argv)
{
	const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
	const char *only = argc > 1 + all ? argv[1 + all] : NULL;
	const struct algorithm *a;
	struct cast cast;

	cast_open(&cast);
	/* Looking again before sleeping leads to no new places. */
	wait_policy.pauses = 0;
	wait_policy.yields = 2;
	for (size_t i = 0; (a = cast_algorithm(i)) != NULL; i++)
		if (!only || strcmp(only, a->name) == 0)
			play_algorithm(&cast, a, all);
	printf("ok: %lu kills at chosen places: everybody else came through, "
	       "and all slots came back\n",
	       cast.kills);
	cast_close(&cast);
	return 0;
}
