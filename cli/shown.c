/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/shown.h"

#include "cli/live.h"
#include "cli/plain.h"
#include "cli/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	FIRST = 100, /* ms; who enters before is shown nothing */
	OFTEN = 250, /* on a terminal, where ages are shown as well */
	SELDOM = 500
};

static struct atmost *pool;
static const char *pool_name;
static pthread_t thread;
static bool running, over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended;

static unsigned own_position(const struct pool_view *view)
{
	for (unsigned i = 0; i < view->count; i++)
		if (view->seats[i].slot < 0 && view->seats[i].pid == getpid())
			return view->seats[i].position;
	return 0;
}

static void describe(FILE *to, const struct pool_view *view, bool ages)
{
	const char *between = "; inside: ";

	fprintf(to, "atmost: waiting for %s, %u of %u", pool_name,
		own_position(view), view->totals.waiters);
	for (unsigned i = 0; i < view->count && view->seats[i].slot >= 0; i++) {
		const struct atmost_seat *seat = &view->seats[i];

		fputs(between, to);
		plain_print(to, seat->command);
		if (seat->label[0]) {
			fputs(" of ", to);
			plain_print(to, seat->label);
		}
		if (seat->pid)
			fprintf(to, " (%jd)", (intmax_t)seat->pid);
		if (seat->life != ATMOST_LIFE_CERTAIN)
			fprintf(to, " [%s]", pool_doubt(seat, pool_name).text);
		if (ages)
			fprintf(to, " %s", pool_age(seat->since).text);
		between = ", ";
	}
}

/* Shows what there is to wait for, if it is not what was shown last. */
static void show(char *last, size_t size)
{
	const bool terminal = isatty(STDERR_FILENO);
	struct pool_view view;
	char line[1024] = "";
	FILE *to;

	if (pool_look(pool, &view) < 0)
		return;
	to = fmemopen(line, sizeof line - 1, "w");
	if (to) {
		describe(to, &view, terminal);
		fclose(to);
	}
	/* Position 0: just entered. */
	if (to && own_position(&view) && strcmp(line, last) != 0) {
		if (terminal)
			live_rewrite(line);
		else
			fprintf(stderr, "%s\n", line);
		snprintf(last, size, "%s", line);
	}
	pool_view_free(&view);
}

static struct timespec from_now(long milliseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += milliseconds * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *watch(void *unused)
{
	char last[1024] = "";
	struct timespec next = from_now(FIRST);

	(void)unused;
	pthread_mutex_lock(&lock);
	while (!over) {
		if (pthread_cond_timedwait(&ended, &lock, &next) == 0)
			continue;
		show(last, sizeof last);
		next = from_now(isatty(STDERR_FILENO) ? OFTEN : SELDOM);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

void shown_start(struct atmost *which, const char *name)
{
	pthread_condattr_t monotonic;

	sigset_t theirs, before;

	pool = which;
	pool_name = name;
	over = false;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* Signals are for the thread that waits: they end its sleep. */
	sigfillset(&theirs);
	pthread_sigmask(SIG_BLOCK, &theirs, &before);
	running = pthread_create(&thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void shown_stop(void)
{
	if (!running)
		return;
	pthread_mutex_lock(&lock);
	over = true;
	pthread_cond_signal(&ended);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	live_erase();
}
