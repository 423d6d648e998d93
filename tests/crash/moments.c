/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * moments [KILLS [ALGORITHM]]: workers join, enter in every manner (see
 * oracle.h), leave and part at random.  The parent kills them with SIGKILL at
 * random moments and starts others.
 */
#include "workers.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KILLS_PER_ROUND = 50, SESSIONS = 4 };

/* The settings of a round. */
struct settings {
	unsigned k_least, k_max;    /* k_max 0: no worker resizes */
	useconds_t pause;           /* the longest pause between two kills */
	uint64_t session[SESSIONS]; /* the first `sessions` are used */
	unsigned sessions;
};

static void hold(uint64_t *random)
{
	uint64_t draw = prng_next(random);

	switch (draw % 8) {
	case 0:
		usleep((useconds_t)(draw >> 8) % 300);
		break;
	case 1:
	case 2:
		sched_yield();
		break;
	case 3:
		for (volatile unsigned i = 0; i < (draw >> 8) % 5000; i++)
			continue;
		break;
	default:
		break;
	}
}

/* Makes one passage.  Returns true if the worker parted while it was inside. */
static bool pass(struct oracle_worker *worker, struct atmost_member *me,
		 const struct settings *settings, uint64_t *random)
{
	enum manner manner = prng_next(random) % MANNERS;
	int64_t patience = (int64_t)(prng_next(random) % 3000000);
	int slot;

	worker->session =
		settings->session[prng_next(random) % settings->sessions];
	slot = workers_enter(worker, me, manner, patience);
	if (slot < 0) {
		/* A worker that tried again without a pause would starve the
		 * other workers. */
		usleep((useconds_t)(prng_next(random) % 100));
		return false;
	}
	hold(random);
	if (prng_next(random) % 32 == 0) {
		oracle_note(worker, PARTING);
		oracle_leave(worker, slot);
		atmost_part(me);
		return true;
	}
	workers_leave(worker, me, slot);
	return false;
}

static unsigned choose_k(const struct settings *settings, uint64_t draw)
{
	return settings->k_least +
	       (unsigned)(draw % (settings->k_max - settings->k_least + 1));
}

/* Now and then the worker asks for the status or resizes the pool. */
static void inspect_or_resize(struct oracle_worker *worker, struct atmost *pool,
			      const struct settings *settings, uint64_t *random)
{
	uint64_t draw = prng_next(random);

	if (draw % 64 == 0) {
		oracle_note(worker, LOOKING);
		if (atmost_status(pool, NULL, 0, NULL) < 0)
			oracle_violation(worker->oracle, "%s", atmost_detail());
	} else if (draw % 64 == 1 && settings->k_max) {
		oracle_note(worker, RESIZING);
		if (atmost_resize(pool, choose_k(settings, draw >> 8)) < 0)
			oracle_violation(worker->oracle, "%s", atmost_detail());
	}
}

static void work(struct oracle_worker *worker, struct atmost *pool,
		 uint64_t random, const void *argument)
{
	while (!atomic_load(&worker->oracle->stop)) {
		unsigned passages = (unsigned)(prng_next(&random) % 20);
		struct atmost_member *me;
		bool parted = false;

		workers_join(worker, pool, &me);
		for (unsigned i = 0; i < passages && !parted; i++) {
			if (atomic_load(&worker->oracle->stop))
				break;
			inspect_or_resize(worker, pool, argument, &random);
			parted = pass(worker, me, argument, &random);
		}
		oracle_note(worker, PARTING);
		if (!parted)
			atmost_part(me);
	}
}

/* The functions below run in the parent. */

static void pause_between_kills(struct workers *workers,
				const struct settings *settings)
{
	uint64_t draw = prng_next(&workers->random);

	if (draw % 3 > 0)
		usleep((useconds_t)(draw >> 8) % settings->pause);
	workers_watch(workers);
}

/*
 * Stops a worker and lets it go on; no member must take it for dead in between.
 */
static void stop_for_a_while(struct workers *workers,
			     const struct settings *settings)
{
	unsigned number = (unsigned)prng_next(&workers->random) %
			  workers->shape.members;

	kill(workers->pid[number], SIGSTOP);
	pause_between_kills(workers, settings);
	kill(workers->pid[number], SIGCONT);
}

/*
 * Kills some workers at the same time, and then starts others in their places.
 */
static void kill_some(struct workers *workers, const struct settings *settings)
{
	unsigned n = workers->shape.members;
	unsigned count = 1;
	bool gone[WORKERS_MOST] = { false };

	if (prng_next(&workers->random) % 8 == 0)
		count += (unsigned)prng_next(&workers->random) % n;
	while (count-- > 0) {
		unsigned number = (unsigned)prng_next(&workers->random) % n;

		if (gone[number])
			continue;
		gone[number] = true;
		oracle_mark_killed(workers->oracle, number);
		kill(workers->pid[number], SIGKILL);
	}
	for (unsigned number = 0; number < n; number++) {
		if (!gone[number])
			continue;
		workers_wait(workers, number);
		workers_start(workers, number, work, settings);
	}
}

static void kill_workers(struct workers *workers,
			 const struct settings *settings, unsigned long kills)
{
	const unsigned n = workers->shape.members;
	const unsigned long until = workers->kills + kills;

	for (unsigned number = 0; number < n; number++)
		workers_start(workers, number, work, settings);
	while (workers->kills < until) {
		pause_between_kills(workers, settings);
		kill_some(workers, settings);
		if (prng_next(&workers->random) % 16 == 0)
			stop_for_a_while(workers, settings);
	}
	atomic_store(&workers->oracle->stop, true);
	for (unsigned number = 0; number < n; number++)
		workers_wait(workers, number);
	if (settings->k_max)
		idle_pool_check_resized(workers);
}

static const struct algorithm *shape_resolve(struct workers *workers)
{
	size_t count = 0;

	/* Most pools use roster, so most rounds test roster. */
	if (prng_next(&workers->random) % 4 > 0)
		return registry_find("roster");
	while (workers_algorithm(count))
		count++;
	return workers_algorithm(prng_next(&workers->random) % count);
}

/* Half of the group pools have no limit, if the algorithm can have one. */
static struct atmost_shape choose_shape(struct workers *workers,
					const struct algorithm *a)
{
	const bool group = a->kind == KIND_GROUP_EXCLUSION;
	unsigned k = 1U << prng_next(&workers->random) % 4;
	struct atmost_shape shape = {
		.kind = group ? ATMOST_GROUP : ATMOST_EXCLUSION,
		.algorithm = a->name,
	};

	if (a->limits.most_k && k > a->limits.most_k)
		k = a->limits.most_k;
	shape.members = k + (unsigned)prng_next(&workers->random) %
				    (WORKERS_MOST - k + 1);
	shape.k = group && (prng_next(&workers->random) % 2 ||
			    !(a->promises & AT_MOST_K))
			  ? 0
			  : k;
	if (a->resize && prng_next(&workers->random) % 4 == 0)
		shape.k_max = shape.k ? k + 2 : shape.members;
	return shape;
}

static struct settings choose_settings(struct workers *workers)
{
	struct settings settings = {
		.k_max = workers->shape.k_max,
		.k_least = workers->shape.k ? 1 : 0,
		.pause = 100U << prng_next(&workers->random) % 7,
		.sessions = 1,
	};

	if (workers->shape.kind == ATMOST_GROUP)
		settings.sessions += (unsigned)prng_next(&workers->random) %
				     SESSIONS;
	for (unsigned i = 0; i < SESSIONS; i++)
		settings.session[i] = workers_session(workers, i);
	return settings;
}

static void run_round(struct workers *workers, const struct algorithm *a,
		      unsigned long kills)
{
	struct atmost_shape shape = choose_shape(workers, a);
	unsigned long entered = atomic_load(&workers->oracle->entered);
	double before, after, start = clock_seconds();
	struct atmost_totals totals;
	struct settings settings;

	workers_open_pool(workers, &shape);
	settings = choose_settings(workers);
	before = cost_measure(workers);
	kill_workers(workers, &settings, kills);
	if (atmost_status(workers->pool, NULL, 0, &totals) < 0)
		workers_fail(workers, "%s", atmost_detail());
	cost_check(workers);
	idle_pool_check(workers);
	after = cost_measure(workers);
	printf("%6lu kills  %-14s k=%u%s n=%-2u m=%u  %4ju recovered  %6lu "
	       "entered  %.1f s  alone %.0f ns, before %.0f\n",
	       workers->kills, shape.algorithm, shape.k,
	       shape.k_max ? "+2" : "  ", shape.members, settings.sessions,
	       (uintmax_t)totals.recovered,
	       atomic_load(&workers->oracle->entered) - entered,
	       clock_seconds() - start, after, before);
	workers_close_pool(workers);
}

int main(int argc, char **argv)
{
	unsigned long kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	const struct algorithm *only = argc > 2 ? registry_find(argv[2]) : NULL;
	struct workers workers;

	if (kills == 0 || (argc > 2 && (!only || !only->recover))) {
		fprintf(stderr,
			"usage: %s [KILLS [ALGORITHM]]: at least one kill, "
			"and an algorithm that recovers\n",
			argv[0]);
		return 2;
	}
	workers_open(&workers);
	workers.where = "random moments";
	while (workers.kills < kills)
		run_round(&workers, only ? only : shape_resolve(&workers),
			  kills - workers.kills < KILLS_PER_ROUND
				  ? kills - workers.kills
				  : KILLS_PER_ROUND);
	printf("%lu entered, %lu given up, %lu slots taken over from dead "
	       "members, %lu times the pool was full\n",
	       workers.oracle->entered, workers.oracle->given_up,
	       workers.oracle->inherited, workers.oracle->full);
	printf("ok: %lu kills at random moments: never more than k living "
	       "holders, never two sessions, never two holders of a slot, and "
	       "every slot came back\n",
	       workers.kills);
	workers_close(&workers);
	return 0;
}
