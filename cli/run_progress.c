/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/run_progress.h"

#include "cli/pool_view.h"
#include "cli/safe_text.h"
#include "cli/terminal_line.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	FIRST = 100,       /* ms of waiting before the first message */
	ON_TERMINAL = 250, /* ms between messages on a terminal */
	IN_FILE = 500      /* ms between messages in a file */
};

static struct atmost *pool;
static const char *pool_name;
static pthread_t thread;
static bool running, stopping;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stop_requested;

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

	fprintf(to, "atmost: waiting for %s, position %u of %u", pool_name,
		own_position(view), view->totals.waiters);
	for (unsigned i = 0; i < view->count && view->seats[i].slot >= 0; i++) {
		const struct atmost_seat *seat = &view->seats[i];

		fputs(between, to);
		safe_text_print(to, seat->command);
		if (seat->label[0]) {
			fputs(" of ", to);
			safe_text_print(to, seat->label);
		}
		if (seat->pid)
			fprintf(to, " (%jd)", (intmax_t)seat->pid);
		if (seat->life != ATMOST_LIFE_CERTAIN)
			fprintf(to, " [%s]",
				pool_view_doubt(seat, pool_name).text);
		if (ages)
			fprintf(to, " %s", pool_view_age(seat->since).text);
		between = ", ";
	}
}

/* Shows the state of the queue, unless the text is the same as `last`. */
static void show(char *last, size_t size)
{
	const bool terminal = isatty(STDERR_FILENO);
	struct pool_view view;
	char line[1024] = "";
	FILE *to;

	if (pool_view_read(pool, &view) < 0)
		return;
	to = fmemopen(line, sizeof line - 1, "w");
	if (to) {
		describe(to, &view, terminal);
		fclose(to);
	}
	/* Position 0: this process has just entered. */
	if (to && own_position(&view) && strcmp(line, last) != 0) {
		if (terminal)
			terminal_line_rewrite(line);
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
	while (!stopping) {
		if (pthread_cond_timedwait(&stop_requested, &lock, &next) == 0)
			continue;
		show(last, sizeof last);
		next = from_now(isatty(STDERR_FILENO) ? ON_TERMINAL : IN_FILE);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

void run_progress_start(struct atmost *which, const char *name)
{
	pthread_condattr_t monotonic;
	sigset_t all, before;

	pool = which;
	pool_name = name;
	stopping = false;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&stop_requested, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* The new thread blocks all signals, so that they reach the waiting
	 * thread and interrupt its sleep. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	running = pthread_create(&thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void run_progress_stop(void)
{
	if (!running)
		return;
	pthread_mutex_lock(&lock);
	stopping = true;
	pthread_cond_signal(&stop_requested);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	terminal_line_erase();
}
