/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * namespaces [KILLS [SECONDS]]: workers share a pool.  Most workers are process
 * 1 of their own pid namespace, so their thread ids are equal.  Workers join,
 * enter, leave and part at random; the parent kills them with SIGKILL at random
 * moments and starts others.
 */
#include "common/clock.h"
#include "common/prng.h"
#include "facts.h"
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORKERS = 12,
	OUTER = 3, /* workers 0 to 2 are in the namespace of the parent */
	MOST_SLOTS = 3,
	KILLS_PER_POOL = 500,
};

struct run {
	struct oracle *oracle;
	struct atmost *pool;
	unsigned k;
	pid_t pid[WORKERS];
	uint32_t serial; /* the last serial number given */
	uint64_t seed, random;
	unsigned long kills, moved;
	double moved_at;
	int home; /* the pid namespace of the parent */
};

/* The functions below run in a worker. */

static void report_error(const struct oracle_worker *worker, const char *call,
			 int error)
{
	oracle_violation(worker->oracle, "worker %u: %s gives %s",
			 worker->number, call, atmost_strerror(error));
}

static int enter(const struct oracle_worker *worker,
		 struct atmost_member *member, uint64_t how)
{
	const struct timespec deadline = clock_deadline(
		(int64_t)((how >> 8) % 20000000));
	struct atmost_want want = { .flags = how % 3 == 0 ? ATMOST_TRY : 0 };
	int slot;

	if (how % 3 == 1)
		want.deadline = &deadline;
	oracle_note(worker, ENTERING);
	slot = atmost_enter(member, how % 3 == 2 ? NULL : &want);
	if (slot < 0 && slot != ATMOST_EBUSY && slot != ATMOST_ETIMEDOUT)
		report_error(worker, "atmost_enter", slot);
	return slot;
}

static void pass(const struct oracle_worker *worker,
		 struct atmost_member *member, uint64_t *random)
{
	uint64_t how = prng_next(random);
	int slot = enter(worker, member, how), error;

	if (slot < 0)
		return;
	oracle_enter(worker, slot);
	oracle_note(worker, INSIDE);
	if (how >> 32 & 1)
		usleep((useconds_t)(how >> 40) % 200);
	oracle_leave(worker, slot);
	oracle_note(worker, LEAVING);
	if (how >> 33 & 1)
		return; /* the worker parts while it is inside */
	error = atmost_leave(member);
	if (error)
		report_error(worker, "atmost_leave", error);
}

static void work(const struct oracle_worker *worker, struct atmost *pool,
		 uint64_t random)
{
	struct atmost_member *member;
	int error;

	while (!atomic_load(&worker->oracle->stop)) {
		oracle_note(worker, JOINING);
		error = atmost_join(pool, &member);
		if (error == ATMOST_EFULL) {
			usleep(100);
			continue;
		}
		if (error) {
			report_error(worker, "atmost_join", error);
			return;
		}
		if (prng_next(&random) % 2)
			pass(worker, member, &random);
		oracle_note(worker, PARTING);
		atmost_part(member);
		if (prng_next(&random) % 32)
			continue;
		oracle_note(worker, LOOKING);
		error = atmost_status(pool, NULL, 0, NULL);
		if (error < 0)
			report_error(worker, "atmost_status", error);
	}
}

/* The functions below run in the parent. */

static void fail(struct run *run, const char *sentence)
{
	fact(false, "%s (k=%u, after %lu kills, ATMOST_SEED=%ju)", sentence,
	     run->k, run->kills, (uintmax_t)run->seed);
	for (unsigned number = 0; number < WORKERS; number++)
		if (run->pid[number] > 0 && !kill(run->pid[number], SIGKILL))
			waitpid(run->pid[number], NULL, 0);
	exit(facts_end());
}

static void start(struct run *run, unsigned number)
{
	struct oracle_worker worker = { run->oracle, number, ++run->serial, 0 };
	uint64_t random = prng_next(&run->random);
	struct atmost *pool = run->pool;

	atomic_store(&run->oracle->worker[number].serial, worker.serial);
	if (setns(run->home, CLONE_NEWPID) < 0 ||
	    (number >= OUTER && unshare(CLONE_NEWPID) < 0))
		fail(run, "the parent makes a pid namespace");
	run->pid[number] = fork();
	if (run->pid[number] < 0)
		fail(run, "the parent forks");
	if (run->pid[number] > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGALRM, SIG_DFL);
	if (random & 1)
		pool = pool_open("pool", 0);
	work(&worker, pool, random);
	oracle_note(&worker, DONE);
	_exit(0);
}

/* Prefers a worker that is taking or releasing a life lock. */
static unsigned choose_victim(struct run *run)
{
	unsigned number = (unsigned)(prng_next(&run->random) % WORKERS);

	for (unsigned i = 0; i < 2000; i++) {
		unsigned doing = atomic_load(
			&run->oracle->worker[number].doing);

		if (doing == JOINING || doing == PARTING || doing == LOOKING)
			break;
		number = (number + 1) % WORKERS;
	}
	return number;
}

static void watch(struct run *run)
{
	unsigned long moved = run->serial;
	double now = clock_seconds();

	if (atomic_load(&run->oracle->violated))
		fail(run, run->oracle->violation);
	for (unsigned c = 0; c < WORKERS; c++)
		moved += atomic_load(&run->oracle->worker[c].passages);
	if (moved != run->moved) {
		run->moved = moved;
		run->moved_at = now;
	} else if (now - run->moved_at > WATCHDOG_SECONDS) {
		fail(run, "the workers make progress");
	}
}

static void reap(struct run *run, unsigned number)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(run->pid[number], &status, WNOHANG)) == 0) {
		watch(run);
		usleep(50);
	}
	if (pid < 0)
		fail(run, "the parent waits for a worker");
	run->pid[number] = 0;
	oracle_forget(run->oracle, number);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		run->kills++;
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail(run, "a worker ends well or is killed");
}

static void kill_some(struct run *run)
{
	unsigned victims = prng_next(&run->random) % 8 ? 1 : 4;
	bool killed[WORKERS] = { false };

	for (unsigned i = 0; i < victims; i++) {
		unsigned number = choose_victim(run);

		if (killed[number])
			continue;
		killed[number] = true;
		oracle_mark_killed(run->oracle, number);
		kill(run->pid[number], SIGKILL);
	}
	for (unsigned number = 0; number < WORKERS; number++) {
		if (!killed[number])
			continue;
		reap(run, number);
		start(run, number);
	}
}

/* Checks that every slot is free, and that the pool has no members left. */
static void check_pool(struct run *run)
{
	const struct atmost_want now = { .flags = ATMOST_TRY };
	struct atmost_totals totals = pool_totals(run->pool);
	struct atmost_member *member[MOST_SLOTS + 1];

	if (totals.members || totals.holders || totals.waiters || totals.lost)
		fail(run, "afterwards the pool has no member left");
	for (unsigned i = 0; i <= run->k; i++) {
		int slot = atmost_join(run->pool, &member[i]);

		if (slot == 0)
			slot = atmost_enter(member[i], &now);
		if (i < run->k && slot < 0)
			fail(run, "afterwards k members can enter");
		if (i == run->k && slot != ATMOST_EBUSY)
			fail(run, "afterwards one more member has to wait");
	}
}

static void run_pool(struct run *run, unsigned long kills, double until)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_ASSIGNMENT,
		.k = run->k,
		.members = WORKERS + MOST_SLOTS + 1,
	};

	oracle_begin(run->oracle, run->k, true);
	if (atmost_open(&run->pool, "pool", &shape) < 0)
		fail(run, atmost_detail());
	for (unsigned number = 0; number < WORKERS; number++)
		start(run, number);
	kills += run->kills;
	while (run->kills < kills && clock_seconds() < until) {
		watchdog_restart();
		usleep((useconds_t)(prng_next(&run->random) % 1000));
		watch(run);
		kill_some(run);
	}
	atomic_store(&run->oracle->stop, true);
	for (unsigned number = 0; number < WORKERS; number++)
		reap(run, number);
	check_pool(run);
	atmost_close(run->pool);
	if (atmost_unlink("pool") < 0)
		fail(run, atmost_detail());
}

int main(int argc, char **argv)
{
	unsigned long kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 3000;
	unsigned seconds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10;
	double start_time = clock_seconds();
	struct run run = { .oracle = oracle_map() };

	facts_begin();
	run.seed = run.random = prng_seed();
	run.home = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	if (run.home < 0 || unshare(CLONE_NEWPID) < 0) {
		skipped("this user may not make pid namespaces (%s)",
			strerror(errno));
		return facts_end();
	}
	while (run.kills < kills && clock_seconds() < start_time + seconds) {
		unsigned long left = kills - run.kills;

		run.k = 1 + (unsigned)prng_next(&run.random) % MOST_SLOTS;
		run_pool(&run, left < KILLS_PER_POOL ? left : KILLS_PER_POOL,
			 start_time + seconds);
	}
	fact(true,
	     "%lu kills in %.1f s of workers with equal thread ids: never "
	     "more than k holders, never two in one slot, every slot came back "
	     "(%lu entered, %lu inherited)",
	     run.kills, clock_seconds() - start_time, run.oracle->entered,
	     run.oracle->inherited);
	return facts_end();
}
