/* SPDX-License-Identifier: BSD-2-Clause */
#include "facts.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 20 /* seconds, for an answer that needs no wait */ };

static char folder[64];
static unsigned passed, failed;

/* Workers die with the process that started them. */
static void out_of_time(int signal)
{
	static const char text[] = "FAILED: the program ends within its time\n";

	(void)signal;
	(void)!write(STDOUT_FILENO, text, sizeof text - 1);
	_exit(1);
}

void facts_begin(unsigned seconds)
{
	snprintf(folder, sizeof folder, "/dev/shm/atmost-facts-XXXXXX");
	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1) < 0) {
		perror(folder);
		exit(2);
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGALRM, out_of_time);
	signal(SIGPIPE, SIG_IGN);
	alarm(seconds);
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

int facts_end(void)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
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

const char *facts_file(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

double now_in_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Workers. */

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

bool worker_says(const struct worker *worker, int seconds, int *number)
{
	struct pollfd answer = { .fd = worker->from, .events = POLLIN };

	return poll(&answer, 1, seconds * 1000) == 1 &&
	       read(worker->from, number, sizeof *number) == sizeof *number;
}

int worker_do(const struct worker *worker, int request)
{
	int answer;

	worker_tell(worker, request);
	return worker_says(worker, PATIENCE, &answer) ? answer : -999;
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

/* Pools. */

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
	for (unsigned i = 0; i < PATIENCE * 1000; i++) {
		struct atmost_totals totals = pool_totals(pool);

		if ((inside ? totals.holders : totals.waiters) == count)
			return true;
		usleep(1000);
	}
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

	if (!worker_says(&waiter, PATIENCE, &joined) || joined < 0)
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

	return worker_says(waiter, SOON, &slot) && slot >= 0;
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
