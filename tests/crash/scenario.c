/* SPDX-License-Identifier: BSD-2-Clause */
#include "scenario.h"

#include "stops.h"

#include <unistd.h>

const struct scenario scenarios[] = {
	{ "enters at once", ENTERS, false, 0 },
	{ "enters after waiting, waiters behind it", ENTERS, true, WAITERS },
	{ "enters after waiting, alone", ENTERS, true, 0 },
	{ "tries in vain", TRIES, true, WAITERS },
	{ "gives up", GIVES_UP, true, WAITERS },
	{ "leaves, waiters behind it", LEAVES, false, WAITERS },
	{ "leaves, no waiters", LEAVES, false, 0 },
	{ "parts from inside, waiters behind it", PARTS, false, WAITERS },
	{ "dies inside, waiters behind it", HOLDS, false, WAITERS },
	{ "dies inside, no waiters", HOLDS, false, 0 },
	{ "joins", JOINS, false, 0 },
	{ "resizes, no waiters", RESIZES, false, 0 },
	{ "resizes, waiters behind it", RESIZES, true, WAITERS },
};

const unsigned scenario_count = sizeof scenarios / sizeof *scenarios;

/* The workers' numbers; LATE starts after the victim has ended. */
enum { VICTIM, FIRST_WAITER, LATE = FIRST_WAITER + WAITERS, PARENT };

struct role {
	enum action action;
	uint64_t at;
	bool after_go;
	unsigned k, k_max;
	uint64_t session;
};

struct run {
	struct workers *workers;
	const struct scenario *scenario;
	uint64_t recoverer_at;
	struct role victim;
	enum ending ending[PARENT];
	/* The parent's own members. */
	struct oracle_worker holder[WORKERS_MOST];
	struct atmost_member *member[WORKERS_MOST];
	int slot[WORKERS_MOST];
	unsigned held;
};

/* Returns true if the pool has no limit, so that only a holder of another
 * session can keep a worker out. */
static bool has_other_sessions(const struct workers *workers)
{
	return workers->shape.kind == ATMOST_GROUP && !workers->shape.k;
}

/* Returns how many holders keep the other workers out.  When one of these
 * holders leaves, a worker can enter. */
static unsigned full_count(const struct workers *workers)
{
	return has_other_sessions(workers) ? 1 : workers->shape.k;
}

/* Returns whether the victim is inside when the scenario begins. */
static bool starts_inside(enum action action)
{
	return action == LEAVES || action == PARTS || action == HOLDS;
}

/* The functions below are the roles of the workers. */

static void wait_for_go(struct oracle_worker *worker)
{
	while (!atomic_load(&worker->oracle->go))
		usleep(50);
}

static void act_inside(struct oracle_worker *worker, struct atmost *pool,
		       const struct role *role)
{
	struct atmost_member *me;
	int slot;

	workers_join(worker, pool, &me);
	slot = workers_enter(worker, me, FOR_EVER, 0);
	wait_for_go(worker);
	while (role->action == HOLDS)
		pause();
	if (role->action == PARTS) {
		oracle_note(worker, PARTING);
		oracle_leave(worker, slot);
		stops_set(worker, role->at, false);
	} else {
		stops_set(worker, role->at, false);
		workers_leave(worker, me, slot);
		stops_end();
	}
	atmost_part(me);
	stops_end();
}

static void act_outside(struct oracle_worker *worker, struct atmost *pool,
			const struct role *role)
{
	static const enum manner manners[] = {
		[ENTERS] = FOR_EVER, [TRIES] = TRY, [GIVES_UP] = DEADLINE
	};
	struct atmost_member *me;
	int slot;

	workers_join(worker, pool, &me);
	stops_set(worker, role->at, false);
	slot = workers_enter(worker, me, manners[role->action], 2000000);
	stops_end();
	if (slot >= 0)
		workers_leave(worker, me, slot);
	atmost_part(me);
}

static void resize(struct oracle_worker *worker, struct atmost *pool,
		   unsigned k)
{
	if (atmost_resize(pool, k) < 0)
		oracle_violation(worker->oracle, "resize: %s", atmost_detail());
}

static void run_victim(struct oracle_worker *worker, struct atmost *pool,
		       uint64_t random, const void *argument)
{
	const struct role *role = argument;
	struct atmost_member *me;

	(void)random;
	worker->session = role->session;
	if (starts_inside(role->action)) {
		act_inside(worker, pool, role);
	} else if (role->action == JOINS) {
		stops_set(worker, role->at, false);
		workers_join(worker, pool, &me);
		stops_end();
		atmost_part(me);
	} else if (role->action == RESIZES) {
		oracle_note(worker, RESIZING);
		stops_set(worker, role->at, false);
		resize(worker, pool, role->k_max);
		resize(worker, pool, 1);
		resize(worker, pool, role->k);
		stops_end();
	} else {
		act_outside(worker, pool, role);
	}
}

/* Runs a waiter or the late worker; one of these is the recoverer. */
static void run_other(struct oracle_worker *worker, struct atmost *pool,
		      uint64_t random, const void *argument)
{
	const struct role *role = argument;
	struct atmost_member *me;
	int slot;

	(void)random;
	worker->session = role->session;
	stops_set(worker, role->at, role->after_go);
	workers_join(worker, pool, &me);
	slot = workers_enter(worker, me, FOR_EVER, 0);
	if (slot >= 0)
		workers_leave(worker, me, slot);
	atmost_part(me);
	stops_end();
}

/* The functions below run in the parent. */

static void take(struct run *run, unsigned count)
{
	struct workers *workers = run->workers;

	for (unsigned i = 0; i < count; i++) {
		struct oracle_worker *me = &run->holder[i];

		*me = (struct oracle_worker){ workers->oracle, PARENT + i,
					      ++workers->serial,
					      workers_session(workers, 0) };
		workers_join(me, workers->pool, &run->member[i]);
		run->slot[i] = workers_enter(me, run->member[i], TRY, 0);
		if (run->slot[i] < 0)
			workers_fail(workers, "only %u can enter", i);
		run->held = i + 1;
	}
}

static void give_back(struct run *run, unsigned keep)
{
	while (run->held > keep) {
		unsigned i = --run->held;

		workers_leave(&run->holder[i], run->member[i], run->slot[i]);
		atmost_part(run->member[i]);
	}
}

/* Waits until the worker sleeps in atmost_enter, or has ended. */
static void await_sleep(struct run *run, unsigned number)
{
	struct workers *workers = run->workers;

	while ((run->ending[number] = workers_look(workers, number)) == RUNS) {
		if (atomic_load(&workers->oracle->worker[number].doing) ==
			    ENTERING &&
		    workers_sleeps(workers, number))
			return;
		workers_watch(workers);
		usleep(20);
	}
}

static void await_inside(struct run *run, unsigned number)
{
	struct workers *workers = run->workers;

	while (atomic_load(&workers->oracle->worker[number].doing) != INSIDE) {
		workers_watch(workers);
		usleep(20);
	}
}

static void await_end(struct run *run, unsigned number)
{
	if (run->ending[number] == RUNS)
		run->ending[number] = workers_wait(run->workers, number);
}

static void start_other(struct run *run, unsigned number, uint64_t at,
			bool after_go)
{
	struct workers *workers = run->workers;
	struct role role = {
		.at = at,
		.after_go = after_go,
		.session = workers_session(workers, 0),
	};

	/* Each waiter has one of two sessions. */
	if (has_other_sessions(workers))
		role.session = workers_session(
			workers,
			1 + (unsigned)(prng_next(&workers->random) % 2));
	workers_start(run->workers, number, run_other, &role);
	run->ending[number] = RUNS;
}

static void start_waiters(struct run *run)
{
	bool after_go = starts_inside(run->scenario->action);

	for (unsigned i = 0; i < run->scenario->waiters; i++) {
		start_other(run, FIRST_WAITER + i,
			    i == 0 ? run->recoverer_at : NEVER, after_go);
		await_sleep(run, FIRST_WAITER + i);
	}
}

static void start_victim(struct run *run)
{
	const struct scenario *scenario = run->scenario;
	struct workers *workers = run->workers;

	run->victim.session = workers_session(workers,
					      has_other_sessions(workers) &&
						      scenario->full);
	workers_start(workers, VICTIM, run_victim, &run->victim);
	if (starts_inside(scenario->action))
		await_inside(run, VICTIM);
	else if (scenario->full && scenario->action == ENTERS)
		await_sleep(run, VICTIM);
	else if (scenario->action == TRIES)
		await_end(run, VICTIM);
}

/* All slots but one stay taken, so the workers must enter one after the
 * other. */
static void finish(struct run *run)
{
	struct workers *workers = run->workers;
	atomic_store(&workers->oracle->go, true);
	if (run->scenario->action == GIVES_UP)
		usleep((useconds_t)prng_next(&workers->random) % 3000);
	if (run->scenario->action == HOLDS)
		workers_kill(workers, VICTIM), run->ending[VICTIM] = KILLED;
	/* A victim that resizes may close the slot that the other workers need;
	 * therefore, if the victim resizes, the parent gives back all slots. */
	give_back(run, run->scenario->action == RESIZES
			       ? 0
			       : full_count(workers) - 1);
	await_end(run, VICTIM);
	if (run->scenario->waiters == 0)
		start_other(run, LATE, run->recoverer_at, false);
	for (unsigned number = FIRST_WAITER; number <= LATE; number++)
		await_end(run, number);
}

struct outcome scenario_run(struct workers *workers,
			    const struct scenario *scenario, uint64_t victim_at,
			    uint64_t recoverer_at)
{
	const unsigned recoverer = scenario->waiters ? FIRST_WAITER : LATE;
	struct run run = {
		.workers = workers,
		.scenario = scenario,
		.recoverer_at = recoverer_at,
		.victim = { .action = scenario->action,
			    .at = victim_at,
			    .k = workers->shape.k,
			    .k_max = workers->shape.k_max },
		.ending = { RUNS, ENDED, ENDED, ENDED },
	};

	atomic_store(&workers->oracle->go, false);
	take(&run, full_count(workers) - !scenario->full);
	if (starts_inside(scenario->action) || scenario->action == ENTERS) {
		start_victim(&run);
		start_waiters(&run);
	} else {
		start_waiters(&run);
		start_victim(&run);
	}
	finish(&run);
	give_back(&run, 0);
	if (scenario->action == RESIZES)
		idle_pool_check_resized(workers);
	idle_pool_check(workers);
	return (struct outcome){
		run.ending[VICTIM],
		run.ending[recoverer],
		atomic_load(&workers->oracle->worker[VICTIM].reached),
		atomic_load(&workers->oracle->worker[recoverer].reached),
	};
}
