/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost run: waits for a slot of a pool and runs a command in it. */
#include "cli/at.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/nested.h"
#include "cli/old_directory.h"
#include "cli/pool.h"
#include "cli/pool_open.h"
#include "cli/run_environment.h"
#include "cli/run_options.h"
#include "cli/run_progress.h"
#include "cli/session.h"
#include "cli/supervise.h"
#include "cli/suspend.h"
#include "cli/usage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct timespec time_after(double seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)seconds;
	t.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

/* Prints a line if -v is given. */
static void say(const struct run_options *run, const char *text)
{
	if (run->verbose)
		fprintf(stderr, "atmost: %s: %s\n", run->pool, text);
}

static int enter_once(const struct run_options *run, struct atmost *pool,
		      struct atmost_member *me, const struct atmost_want *want)
{
	int slot;

	if (run->verbose && !run->try)
		run_progress_start(pool, run->pool);
	slot = atmost_enter(me, want);
	if (run->verbose && !run->try)
		run_progress_stop();
	return slot;
}

/*
 * Returns the slot, or an error of the library.  On Ctrl-Z the waiter leaves
 * the queue and stops; when it continues, it waits again at the end of the
 * queue.
 */
static int wait_for_slot(const struct run_options *run, struct atmost *pool,
			 struct atmost_member *me, struct atmost_want *want)
{
	int slot;

	want->interrupt = run->try ? NULL : suspend_catch();
	while ((slot = enter_once(run, pool, me, want)) ==
	       ATMOST_EINTERRUPTED) {
		say(run, "stopped; the place in the queue is given up");
		suspend_now();
		say(run, "continued; waiting again at the end of the queue");
	}
	/* With an algorithm whose waiters cannot give up, a waiter keeps its
	 * place in the queue when it stops. */
	if (slot == ATMOST_ENOTABORTABLE && want->interrupt) {
		suspend_restore();
		want->interrupt = NULL;
		slot = enter_once(run, pool, me, want);
	}
	if (want->interrupt)
		suspend_restore();
	return slot;
}

/* Returns the slot, or an error of the library. */
static int enter(const struct run_options *run, struct atmost *pool,
		 struct atmost_member *me, const struct timespec *deadline)
{
	struct atmost_want want = { .flags = run->try ? ATMOST_TRY : 0,
				    .deadline = deadline };

	if (run->group) {
		want.session = run->exclusive ? session_alone()
					      : session_of_word(run->group);
		atmost_label(me, run->group);
	}
	return wait_for_slot(run, pool, me, &want);
}

static int run_inside(const struct run_options *run, struct atmost_member *me,
		      const struct template_values *values)
{
	if (!run_environment_set(run, values))
		return pool_no_memory("run");
	return run->exec ? child_exec(me, run->command)
			 : child_run(me, run->command, run->wait_children,
				     run->new_group);
}

/*
 * EEVICTED is normal: the command has ended, so a waiter may take its slot
 * before this process gives the slot back.  With --wait-children the member
 * lives as long as this process, too, so no waiter may take the slot.
 */
static void leave(const struct run_options *run, struct atmost_member *me)
{
	int error = atmost_leave(me);

	if (error && (error != ATMOST_EEVICTED || run->wait_children))
		fprintf(stderr,
			"atmost run: %s: the slot was freed while the command "
			"still ran; another command may have run beside it\n",
			run->pool);
}

/* *removed: the pool was removed before this process joined it. */
static int run_in_pool(const struct run_options *run, struct atmost *pool,
		       const char *names, const struct timespec *deadline,
		       bool *removed)
{
	struct template_values values = { .pool = run->pool, .names = names };
	struct atmost_member *me;
	pid_t ancestor = run->nested ? 0 : nested_holder(pool);
	int code, slot, error;

	*removed = false;
	if (ancestor)
		return usage_error(
			"run",
			"process %jd, an ancestor of this one, holds "
			"a slot of %s: waiting for another slot could "
			"deadlock; with --nested, atmost waits anyway",
			(intmax_t)ancestor, run->pool);
	code = run_environment_check(run, names);
	if (code)
		return code;
	/* atmost_join copies this name, so that the status shows the command
	 * that this waiter will run. */
	program_invocation_short_name = basename(run->command[0]);
	error = atmost_join(pool, &me);
	*removed = error == ATMOST_ENOTFOUND;
	if (*removed)
		return 0;
	if (error)
		return pool_complain("run", run->pool, error);
	slot = enter(run, pool, me, deadline);
	if (slot >= 0) {
		values.slot = (unsigned)slot;
		code = run_inside(run, me, &values);
		leave(run, me);
	} else if (slot == ATMOST_EBUSY || slot == ATMOST_ETIMEDOUT) {
		say(run, slot == ATMOST_EBUSY
				 ? "all slots are taken, the command was not "
				   "run"
				 : "no slot became free in time, the command "
				   "was not run");
		code = (int)run->no_slot;
	} else {
		code = pool_complain("run", run->pool, slot);
	}
	atmost_part(me);
	return supervise_finish(code);
}

int command_run(int argc, char **argv)
{
	struct run_options run = { 0 };
	struct pool_request request;
	struct timespec deadline;
	const char *address;
	bool removed;
	int code;

	if (!run_options_read(argc, argv, &run, &code))
		return code;
	code = at_choose("run", run.at, run.pool, &address);
	if (code)
		return code;
	if (address)
		return elsewhere_run(argv, address, &run);
	if (run.lease_given || run.on_loss)
		return usage_error(
			"run",
			"%s is for pools in etcd only: name one with "
			"--at",
			run.lease_given ? "--lease" : "--on-loss");
	request = (struct pool_request){
		.name = run.pool,
		.k = run.k,
		.names = run.names,
		.group = run.group != NULL,
		.algorithm = run.algorithm,
		.strict = run.strict,
	};
	old_directory_warn("run", run.pool);
	if (run.has_deadline)
		deadline = time_after(run.seconds);
	do {
		struct atmost_shape shape;
		struct atmost *pool;

		code = pool_open(&pool, &request, &shape);
		if (code)
			return code;
		code = run_in_pool(&run, pool, shape.names,
				   run.has_deadline ? &deadline : NULL,
				   &removed);
		/* Otherwise the end of this process will close the pool. */
		if (removed)
			atmost_close(pool);
	} while (removed);
	return code;
}
