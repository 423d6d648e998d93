/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts e and f: can other processes go on when some processes are killed, or
 * stop for ever, in the middle of an operation?
 *
 * In a round, a number of processes start one by one, and each stops in the
 * middle of its operation: these are the held processes.  In part e all of them
 * are then killed with SIGKILL.  After that, another process starts and applies
 * a hundred operations.  If it completes no operation for a while (--patience),
 * the result is that the process cannot go on.  In part f, one of the held
 * processes is then continued.
 */
#include "bench/resilient/parts.h"

#include "bench/common/clock.h"
#include "bench/common/section.h"
#include "bench/common/workers.h"
#include "bench/resilient/pair.h"
#include "bench/resilient/results.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPERATIONS = 100, HELD_MOST = 3, PERIOD = 1000000 /* ns */ };

struct round {
	const struct pair_implementation *implementation;
	struct interruption *result;
	bool kills;
	int64_t patience; /* ns */
	struct pair_instance instance;
	struct held {
		struct round *round;
		uint64_t tag;
		struct worker worker;
		bool is_there;
	} held[HELD_MOST];
	struct worker other; /* the process that starts after them */
};

static bool fail(const struct round *r, const char *what)
{
	fprintf(stderr, "resilient: %s: %s\n", r->implementation->name, what);
	return false;
}

static bool join(struct round *r)
{
	return !r->implementation->join ||
	       r->implementation->join(&r->instance);
}

static void stop_inside(void *held)
{
	const struct held *self = held;
	struct round *r = self->round;

	if (!join(r))
		_exit(4);
	stop_halfway();
	_exit(r->implementation->add(&r->instance, self->tag) ? 0 : 4);
}

static void apply_operations(void *round)
{
	struct round *r = round;

	if (!join(r))
		_exit(4);
	for (unsigned i = 0; i < OPERATIONS; i++) {
		if (!r->implementation->add(&r->instance, 0))
			_exit(4);
		atomic_fetch_add(&r->instance.shared->done, 1);
	}
	_exit(0);
}

/* Returns false if the process ended, or did not stop within 20 s. */
static bool wait_until_stopped(pid_t pid)
{
	const int64_t end = clock_now() + 20 * (int64_t)SECOND;
	int status;

	while (clock_now() < end) {
		if (waitpid(pid, &status, WUNTRACED | WNOHANG) == pid)
			return WIFSTOPPED(status);
		section_sleep(PERIOD);
	}
	return false;
}

static bool hold(struct round *r)
{
	const unsigned count = r->result->held;

	for (unsigned i = 0; i < count; i++) {
		struct held *held = &r->held[i];

		held->round = r;
		held->tag = i + 1;
		held->is_there = worker_start(&held->worker, true, stop_inside,
					      held);
		if (!held->is_there || !wait_until_stopped(held->worker.pid))
			return fail(r, "a process did not stop in the middle "
				       "of its operation");
	}
	for (unsigned i = 0; r->kills && i < count; i++) {
		kill(r->held[i].worker.pid, SIGKILL);
		worker_join(&r->held[i].worker);
		r->held[i].is_there = false;
	}
	return true;
}

/*
 * Returns false if the other process completed no operation for r->patience ns.
 */
static bool await_operations(const struct round *r)
{
	const atomic_uint *count = &r->instance.shared->done;
	int64_t last = clock_now();
	unsigned seen = atomic_load(count), done;

	while ((done = atomic_load(count)) < OPERATIONS) {
		if (done != seen)
			last = clock_now();
		seen = done;
		if (clock_now() - last > r->patience)
			return false;
		section_sleep(PERIOD);
	}
	return true;
}

static bool check_state(const struct round *r)
{
	struct interruption *result = r->result;
	const unsigned done = atomic_load(&r->instance.shared->done);
	struct pair pair;

	if (!r->implementation->read(&r->instance, &pair))
		return false;
	result->whole += pair.left == pair.right;
	result->done += pair.left == done + result->held;
	if (atomic_load(&r->instance.shared->owner_dead))
		result->told = "EOWNERDEAD";
	return true;
}

/* The outcomes of the killed processes must agree with the state. */
static bool check_outcomes(const struct round *r)
{
	const unsigned done = atomic_load(&r->instance.shared->done);
	unsigned happened = 0;
	struct pair pair;
	bool one;

	for (unsigned i = 0; i < r->result->held; i++) {
		if (!r->implementation->outcome(&r->instance, i + 1, &one))
			return false;
		happened += one;
	}
	if (!r->implementation->read(&r->instance, &pair))
		return false;
	if (pair.left != pair.right || pair.left != done + happened)
		return fail(r, "the outcomes do not agree with the state");
	r->result->told = happened == r->result->held ? "what happened: all"
			  : happened == 0             ? "what happened: nothing"
						      : "what happened: some";
	return true;
}

/*
 * Continues one of the held processes, then all of them.  At the end all
 * operations must have been applied.
 */
static bool resume(struct round *r, bool went_on)
{
	struct pair pair;
	int status;

	kill(r->held[0].worker.pid, SIGCONT);
	r->result->continued += !went_on && await_operations(r);
	for (unsigned i = 0; i < r->result->held; i++) {
		const pid_t pid = r->held[i].worker.pid;

		kill(pid, SIGCONT);
		if (waitpid(pid, &status, 0) < 0 || status != 0)
			return fail(r, "a continued process did not finish");
	}
	if (waitpid(r->other.pid, &status, 0) < 0 || status != 0)
		return fail(r, "the process that came afterwards did not "
			       "finish");
	return r->implementation->read(&r->instance, &pair) &&
	       ((pair.left == pair.right &&
		 pair.left == OPERATIONS + r->result->held) ||
		fail(r, "is not in the state that its operations lead to"));
}

static bool run_processes(struct round *r)
{
	bool went_on;

	if (!hold(r))
		return false;
	if (!worker_start(&r->other, true, apply_operations, r))
		return fail(r, strerror(errno));
	went_on = await_operations(r);
	r->result->went_on += went_on;
	if (!check_state(r))
		return false;
	if (!r->kills)
		return resume(r, went_on);
	kill(r->other.pid, SIGKILL);
	worker_join(&r->other);
	return !r->implementation->outcome || check_outcomes(r);
}

static void kill_all(struct round *r)
{
	for (unsigned i = 0; i < r->result->held; i++)
		if (r->held[i].is_there)
			kill(r->held[i].worker.pid, SIGKILL);
	if (r->other.pid > 0)
		kill(r->other.pid, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
}

static bool run_round(const struct pair_implementation *implementation,
		      struct interruption *result, bool kills,
		      const struct run *run)
{
	const double patience = run->patience > 0 ? run->patience : 2;
	struct round r = {
		.implementation = implementation,
		.result = result,
		.kills = kills,
		.patience = (int64_t)(patience * SECOND),
		.instance = { .k = result->k, .members = result->held + 1 },
	};
	struct pair_shared *shared = map_shared(sizeof *shared);
	bool succeeded = false;

	if (!shared)
		return fail(&r, strerror(errno));
	r.instance.shared = shared;
	if (!implementation->open(&r.instance)) {
		fail(&r, "cannot be made");
		goto unmap;
	}
	succeeded = run_processes(&r);
	if (!succeeded)
		kill_all(&r);
	if (implementation->close)
		implementation->close(&r.instance);
unmap:
	munmap(shared, sizeof *shared);
	return succeeded;
}

static bool show(const struct pair_implementation *implementation, unsigned k,
		 unsigned held, bool kills, const struct run *run)
{
	struct interruption result = {
		.name = implementation->name,
		.k = k,
		.held = held,
		.told = "nothing",
		.rounds = run->quick ? 1 : 5,
	};

	for (unsigned i = 0; i < result.rounds; i++)
		if (!run_round(implementation, &result, kills, run))
			return false;
	results_interruption(&result);
	return true;
}

static void print_head(const char *held)
{
	printf("%-18s %6s %7s   %-10s %-17s %s\n", "", held, "rounds", "others",
	       "state", "told");
}

bool part_killed(struct run *r)
{
	print_head("killed");
	return show(&pair_mutex, 0, 1, true, r) &&
	       show(&pair_robust, 0, 1, true, r) &&
	       show(&pair_swap, 0, 3, true, r) &&
	       show(&pair_object, 1, 1, true, r) &&
	       show(&pair_object, 3, 2, true, r) &&
	       show(&pair_object, 3, 3, true, r);
}

bool part_stopped(struct run *r)
{
	print_head("stopped");
	return show(&pair_mutex, 0, 1, false, r) &&
	       show(&pair_robust, 0, 1, false, r) &&
	       show(&pair_swap, 0, 3, false, r) &&
	       show(&pair_object, 1, 1, false, r) &&
	       show(&pair_object, 3, 1, false, r) &&
	       show(&pair_object, 3, 2, false, r) &&
	       show(&pair_object, 3, 3, false, r);
}
