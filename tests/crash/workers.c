/* SPDX-License-Identifier: BSD-2-Clause */
#include "workers.h"

#include "common/folder.h"
#include "common/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char name[] = "pool";

void workers_open(struct workers *workers)
{
	memset(workers, 0, sizeof *workers);
	setvbuf(stdout, NULL, _IOLBF, 0);
	folder_create(NULL);
	workers->oracle = oracle_map();
	workers->seed = workers->random = prng_seed();
	workers->where = "";
}

void workers_close(struct workers *workers)
{
	(void)workers;
	folder_delete();
}

const struct algorithm *workers_algorithm(size_t i)
{
	const struct algorithm *a;

	for (size_t j = 0; (a = registry_at(j)) != NULL; j++)
		if (a->recover && algorithm_is_native(a) &&
		    a->kind <= KIND_GROUP_EXCLUSION && i-- == 0)
			return a;
	return NULL;
}

unsigned workers_limit(const struct workers *workers)
{
	return workers->shape.k ? workers->shape.k : workers->shape.members;
}

/* The session with i = 0 is the session of a NULL want. */
uint64_t workers_session(const struct workers *workers, unsigned i)
{
	static const uint64_t sessions[] = {
		1,
		UINT64_MAX,
		UINT64_C(1) << 63,
		2,
	};

	return workers->shape.kind == ATMOST_GROUP ? sessions[i % 4] : 0;
}

void workers_open_pool(struct workers *workers,
		       const struct atmost_shape *shape)
{
	unsigned most;
	int error;

	workers->shape = *shape;
	workers->algorithm = registry_find(shape->algorithm);
	most = shape->k_max > workers_limit(workers) ? shape->k_max
						     : workers_limit(workers);
	oracle_begin(workers->oracle, most,
		     workers->algorithm->promises & UNIQUE_SLOTS);
	error = atmost_open(&workers->pool, name, shape);
	if (error)
		workers_fail(workers, "atmost_open: %s", atmost_detail());
}

void workers_close_pool(struct workers *workers)
{
	atmost_close(workers->pool);
	if (atmost_unlink(name) < 0)
		workers_fail(workers, "atmost_unlink: %s", atmost_detail());
}

/*
 * Runs in the child.  Half of the workers map the pool at a different address
 * than the parent.
 */
static void run_worker(struct workers *workers, unsigned number,
		       work_function *work, uint64_t random,
		       const void *argument)
{
	struct oracle_worker worker = { workers->oracle, number,
					workers->serial,
					workers_session(workers, 0) };
	struct atmost *pool = workers->pool;

	oracle_note(&worker, STARTING);
	if (prng_next(&random) % 2 && atmost_open(&pool, name, NULL) < 0) {
		oracle_violation(workers->oracle, "worker %u opens: %s", number,
				 atmost_detail());
		_exit(1);
	}
	work(&worker, pool, random, argument);
	oracle_note(&worker, DONE);
	_exit(0);
}

void workers_start(struct workers *workers, unsigned number,
		   work_function *work, const void *argument)
{
	uint64_t random = prng_next(&workers->random);
	pid_t parent = getpid(), pid;

	workers->serial++;
	atomic_store(&workers->oracle->worker[number].serial, workers->serial);
	atomic_store(&workers->oracle->worker[number].reached, 0);
	atomic_store(&workers->oracle->worker[number].doing, STARTING);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		workers_fail(workers, "fork: %s", strerror(errno));
	if (pid > 0) {
		workers->pid[number] = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	run_worker(workers, number, work, random, argument);
}

void workers_kill(struct workers *workers, unsigned number)
{
	oracle_mark_killed(workers->oracle, number);
	kill(workers->pid[number], SIGKILL);
	/* The worker may have exited with 0 just before the signal. */
	workers_wait(workers, number);
}

/* Records the end of a worker; `status` comes from waitpid. */
static enum ending note_end(struct workers *workers, unsigned number,
			    int status)
{
	struct oracle *oracle = workers->oracle;
	bool marked = atomic_load(&oracle->there) >> (number + 32) & 1;

	workers->pid[number] = 0;
	oracle_forget(oracle, number);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && marked) {
		workers->kills++;
		return KILLED;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ENDED;
	if (WIFSIGNALED(status))
		workers_fail(workers, "worker %u died of signal %d", number,
			     WTERMSIG(status));
	workers_fail(workers, "worker %u ended with status %d", number,
		     WEXITSTATUS(status));
}

static enum ending wait_for(struct workers *workers, unsigned number, int flags)
{
	int status;
	pid_t pid = waitpid(workers->pid[number], &status, flags);

	if (pid < 0)
		workers_fail(workers, "waitpid: %s", strerror(errno));
	return pid == 0 ? RUNS : note_end(workers, number, status);
}

enum ending workers_look(struct workers *workers, unsigned number)
{
	return wait_for(workers, number, WNOHANG);
}

enum ending workers_wait(struct workers *workers, unsigned number)
{
	enum ending ending;
	unsigned nap = 20;

	while ((ending = workers_look(workers, number)) == RUNS) {
		workers_watch(workers);
		usleep(nap);
		nap = nap < 500 ? nap * 2 : nap;
	}
	return ending;
}

bool workers_sleeps(struct workers *workers, unsigned number)
{
	return process_sleeps(workers->pid[number]);
}

/* Workers use their members through the functions below. */

void workers_join(struct oracle_worker *worker, struct atmost *pool,
		  struct atmost_member **me)
{
	int error;

	oracle_note(worker, JOINING);
	/* There are no more workers than members, but the pool can be full,
	 * because a dead member keeps its record until it is recovered. */
	while ((error = atmost_join(pool, me)) == ATMOST_EFULL) {
		atomic_fetch_add(&worker->oracle->full, 1);
		usleep(100);
	}
	if (error)
		oracle_violation(worker->oracle, "worker %u joins: %s",
				 worker->number, atmost_detail());
}

int workers_enter(struct oracle_worker *worker, struct atmost_member *me,
		  enum manner manner, int64_t patience)
{
	struct timespec deadline = clock_deadline(patience);
	struct atmost_want want = { .session = worker->session };
	int result;

	if (manner == DEADLINE)
		want.deadline = &deadline;
	else if (manner == TRY)
		want.flags = ATMOST_TRY;
	atomic_store(&worker->oracle->worker[worker->number].how, manner);
	oracle_note(worker, ENTERING);
	result = atmost_enter(me, manner == FOR_EVER && worker->session <= 1
					  ? NULL
					  : &want);
	if (result >= 0) {
		oracle_enter(worker, result);
		oracle_note(worker, INSIDE);
	} else if ((manner == DEADLINE && result == ATMOST_ETIMEDOUT) ||
		   (manner == TRY && result == ATMOST_EBUSY)) {
		atomic_fetch_add(&worker->oracle->given_up, 1);
	} else {
		oracle_violation(worker->oracle, "worker %u enters: %s",
				 worker->number, atmost_strerror(result));
	}
	return result;
}

void workers_leave(struct oracle_worker *worker, struct atmost_member *me,
		   int slot)
{
	int error;

	oracle_note(worker, LEAVING);
	oracle_leave(worker, slot);
	error = atmost_leave(me);
	if (error < 0)
		oracle_violation(worker->oracle, "worker %u leaves: %s",
				 worker->number, atmost_strerror(error));
	oracle_note(worker, READY);
}
