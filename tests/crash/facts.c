/* SPDX-License-Identifier: BSD-2-Clause */
#include "facts.h"

#include "common/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds that the test waits for a worker.  The watchdog waits longer, because
 * it cannot say which fact is wrong. */
enum { PATIENCE = WATCHDOG_SECONDS - 60 };

static unsigned passed, failed;

void facts_begin(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	folder_create(NULL);
	signal(SIGPIPE, SIG_IGN);
	watchdog_start("FAILED: the test program makes progress\n");
}

int facts_end(void)
{
	watchdog_stop();
	folder_delete();
	printf("%u passed, %u failed\n", passed, failed);
	return failed > 0;
}

static void print_line(const char *word, const char *format, va_list list)
{
	printf("%s: ", word);
	vprintf(format, list);
	printf("\n");
}

bool fact(bool holds, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	print_line(holds ? "ok" : "FAILED", format, list);
	va_end(list);
	watchdog_restart();
	passed += holds;
	failed += !holds;
	return holds;
}

void skipped(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	print_line("skipped", format, list);
	va_end(list);
}

/* Functions for workers. */

struct worker worker_start(role_function *role, const void *argument)
{
	struct worker worker;
	int to[2], from[2];

	if (pipe(to) < 0 || pipe(from) < 0)
		abort();
	fflush(NULL);
	worker.pid = fork();
	if (worker.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGALRM, SIG_DFL);
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		close(to[0]);
		close(to[1]);
		close(from[0]);
		close(from[1]);
		role(argument);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	worker.to = to[1];
	worker.from = from[0];
	return worker;
}

void worker_tell(const struct worker *worker, int number)
{
	(void)!write(worker->to, &number, sizeof number);
}

bool worker_says(const struct worker *worker, int *number)
{
	struct pollfd answer = { .fd = worker->from, .events = POLLIN };

	return poll(&answer, 1, PATIENCE * 1000) == 1 &&
	       read(worker->from, number, sizeof *number) == sizeof *number;
}

int worker_do(const struct worker *worker, int request)
{
	int answer;

	worker_tell(worker, request);
	return worker_says(worker, &answer) ? answer : -999;
}

void worker_kill(struct worker *worker)
{
	kill(worker->pid, SIGKILL);
	while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	close(worker->to);
	close(worker->from);
}

void say(int number)
{
	if (write(STDOUT_FILENO, &number, sizeof number) != sizeof number)
		_exit(1);
}

int hear(void)
{
	int number;

	if (read(STDIN_FILENO, &number, sizeof number) != sizeof number)
		_exit(1);
	return number;
}

/* Functions for pools. */

struct atmost *pool_open(const char *name, unsigned k)
{
	const struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT, .k = k };
	struct atmost *pool;

	if (atmost_open(&pool, name, k ? &shape : NULL) < 0) {
		fprintf(stderr, "atmost_open: %s\n", atmost_detail());
		_exit(2);
	}
	return pool;
}

struct atmost_totals pool_totals(struct atmost *pool)
{
	struct atmost_totals totals = { .k = 0 };

	if (atmost_status(pool, NULL, 0, &totals) < 0)
		fact(false, "atmost_status works: %s", atmost_detail());
	return totals;
}

static bool has(struct atmost *pool, unsigned count, bool inside)
{
	const double end = clock_seconds() + PATIENCE;
	struct atmost_totals totals;

	do {
		totals = pool_totals(pool);
		if ((inside ? totals.holders : totals.waiters) == count)
			return true;
		usleep(1000);
	} while (clock_seconds() < end);
	return false;
}

bool pool_has_holders(struct atmost *pool, unsigned holders)
{
	return has(pool, holders, true);
}

bool pool_has_waiters(struct atmost *pool, unsigned waiters)
{
	return has(pool, waiters, false);
}

static void wait_for_a_slot(const void *argument)
{
	struct atmost *pool = pool_open(argument, 0);
	struct atmost_member *member;

	say(atmost_join(pool, &member));
	say(atmost_enter(member, NULL));
	hear();
}

struct worker waiter_start(const char *name)
{
	struct worker waiter = worker_start(wait_for_a_slot, name);
	int joined;

	if (!worker_says(&waiter, &joined) || joined < 0)
		fact(false, "a waiter joins pool %s", name);
	return waiter;
}

struct worker waiter_behind(struct atmost *pool, const char *name)
{
	struct worker waiter = waiter_start(name);

	if (!pool_has_waiters(pool, 1))
		fact(false, "a waiter waits for pool %s", name);
	return waiter;
}

bool waiter_gets_in(const struct worker *waiter)
{
	int slot;

	return worker_says(waiter, &slot) && slot >= 0;
}

bool waiter_stays_out(const struct worker *waiter)
{
	struct pollfd answer = { .fd = waiter->from, .events = POLLIN };

	return poll(&answer, 1, 300) == 0;
}

int try_to_enter(struct atmost *pool)
{
	const struct atmost_want now = { .flags = ATMOST_TRY };
	struct atmost_member *member;
	int slot = atmost_join(pool, &member);

	if (slot < 0)
		return slot;
	slot = atmost_enter(member, &now);
	atmost_part(member);
	return slot;
}

bool thread_ends(pthread_t thread)
{
	struct timespec limit;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += PATIENCE;
	return pthread_timedjoin_np(thread, NULL, &limit) == 0;
}
