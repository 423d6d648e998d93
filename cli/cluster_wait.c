/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cluster_wait.h"

#include "cli/cluster_progress.h"
#include "cli/safe_text.h"

#include <stdio.h>

static const int64_t second = 1000000000;

enum {
	TICK_MS = 1000,       /* how often a step calls `attend` */
	TRY_TICK_MS = 50,     /* the same for -n */
	TRY_SECONDS = 10,     /* -n waits for answers at most this long, */
	ENDPOINT_SECONDS = 2, /* and this much longer for each endpoint */
	FIRST_MESSAGE = 5,    /* seconds without an answer */
	NEXT_MESSAGE = 60,    /* seconds between messages */
	FAREWELL_SECONDS = 2  /* to give up the place in the queue */
};

static void say(const struct cluster_waiter *w, const char *text)
{
	cluster_progress_erase(w->progress);
	fprintf(stderr, "atmost run: %s: ", w->pool);
	safe_text_print(stderr, text);
	fputc('\n', stderr);
}

static void say_if_verbose(const struct cluster_waiter *w, const char *text)
{
	if (!w->run->verbose)
		return;
	cluster_progress_erase(w->progress);
	fprintf(stderr, "atmost: %s: %s\n", w->pool, text);
}

/* --- what a step does while it waits */

/* True: a signal ends the wait, or suspends it. */
static bool take_signals(struct cluster_waiter *w)
{
	const struct timespec at_once = { .tv_sec = 0 };
	siginfo_t info;

	while (sigtimedwait(&w->s->taken, &info, &at_once) > 0) {
		if (job_ignores(info.si_signo))
			continue;
		switch (info.si_signo) {
		case SIGCHLD:
		case SIGCONT:
		case SIGURG:
		case SIGWINCH:
			break;
		case SIGTSTP:
		case SIGTTIN:
		case SIGTTOU:
			w->suspended = true;
			break;
		default:
			w->signal = info.si_signo;
		}
	}
	return w->signal || w->suspended;
}

/* Prints a message when etcd is not reached for some time, and when it is
 * reached again. */
static void report_contact(struct cluster_waiter *w)
{
	const char *problem = wire_problem(w->etcd->wire);
	const int64_t now = wire_now();
	char text[700];

	if (!*problem) {
		if (w->unreached_since &&
		    w->next_message >
			    w->unreached_since + FIRST_MESSAGE * second)
			say(w, "etcd answers again");
		w->unreached_since = 0;
		return;
	}
	if (!w->unreached_since) {
		w->unreached_since = now;
		w->next_message = now + FIRST_MESSAGE * second;
	}
	if (now < w->next_message)
		return;
	w->next_message = now + NEXT_MESSAGE * second;
	snprintf(text, sizeof text,
		 "etcd is not reached for %jd s (%s); waiting for it",
		 (intmax_t)((now - w->unreached_since) / second), problem);
	say(w, text);
}

/* True: each endpoint was tried, and -n does not try again. */
static bool has_tried_all(const struct cluster_waiter *w)
{
	return w->run->try && !wire_was_reached(w->etcd->wire) &&
	       *wire_problem(w->etcd->wire) &&
	       wire_attempts(w->etcd->wire) > w->etcd->settings.address.count;
}

/* The `attend` of etcd. */
static bool attend(void *context)
{
	struct cluster_waiter *w = context;
	const int64_t tick = w->run->try ? TRY_TICK_MS : TICK_MS;
	bool stop = take_signals(w);

	w->signals.revents = 0;
	report_contact(w);
	w->etcd->attention.at = wire_now() + tick * 1000000;
	return stop || has_tried_all(w);
}

void cluster_wait_begin(struct cluster_waiter *w)
{
	const int64_t tries = w->etcd->settings.address.count;

	if (w->run->try)
		w->deadline = wire_now() +
			      (TRY_SECONDS + ENDPOINT_SECONDS * tries) * second;
	w->etcd->attention = (struct etcd_attention){
		.attend = attend, .context = w, .fds = &w->signals, .count = 1
	};
	etcd_limit(w->etcd, w->deadline);
}

void cluster_wait_end(struct cluster_waiter *w)
{
	w->etcd->attention.attend = NULL;
	etcd_limit(w->etcd, INT64_MAX);
	cluster_progress_erase(w->progress);
}

/* --- waiting */

/* Why a step has stopped. */
static enum cluster_wait_result reason(const struct cluster_waiter *w)
{
	if (w->signal)
		return CLUSTER_WAIT_SIGNAL;
	if (w->etcd->trouble.kind != WIRE_PENDING)
		return CLUSTER_WAIT_REFUSED;
	if (wire_now() >= w->deadline || has_tried_all(w))
		return wire_was_reached(w->etcd->wire) && !w->run->try
			       ? CLUSTER_WAIT_TIMEOUT
			       : CLUSTER_WAIT_UNREACHED;
	return CLUSTER_WAIT_NO_POOL;
}

/* Stops this process, which is in no queue, until SIGCONT. */
static void suspend(struct cluster_waiter *w)
{
	w->suspended = false;
	say_if_verbose(w, "stopped; the place in the queue is given up");
	job_stop_wrapper(&w->s->job, SIGTSTP);
	say_if_verbose(w, "continued; waiting again at the end of the queue");
	etcd_limit(w->etcd, w->deadline);
}

enum cluster_wait_result cluster_wait_contact(struct cluster_waiter *w)
{
	struct seen_keys seen;

	while (!etcd_status(w->etcd, &seen)) {
		if (!w->suspended || w->signal)
			return reason(w);
		suspend(w);
	}
	seen_keys_free(&seen);
	return CLUSTER_WAIT_INSIDE;
}

/* Returns false if the wait must end or be suspended. */
static bool wait_for_change(struct cluster_waiter *w)
{
	struct etcd *etcd = w->etcd;

	for (;;) {
		int64_t until = etcd->attention.at;
		bool changed;

		if (wire_now() >= w->deadline)
			return false;
		until = cluster_progress_at(w->progress, until);
		changed = etcd_wait(etcd,
				    until < w->deadline ? until : w->deadline,
				    &w->signals, 1);
		if ((w->signals.revents || wire_now() >= etcd->attention.at) &&
		    attend(w))
			return false;
		cluster_progress_show(w->progress, etcd, changed);
		if (w->signal || w->suspended)
			return false;
		if (changed)
			return true;
	}
}

static void give_up(struct cluster_waiter *w, const struct algorithm *a)
{
	etcd_limit(w->etcd, wire_now() + FAREWELL_SECONDS * second);
	etcd_abort(w->etcd, a);
}

static enum etcd_outcome poll_again(struct cluster_waiter *w,
				    const struct algorithm *a)
{
	const int64_t lease = w->etcd->lease->id;
	const enum etcd_outcome outcome = etcd_poll(w->etcd, a);

	if (outcome == ETCD_WAITS && w->etcd->lease->id != lease)
		say_if_verbose(w, "the lease has ended, and with it the place "
				  "in the queue; waiting again at its end");
	return outcome;
}

enum cluster_wait_result cluster_wait_slot(struct cluster_waiter *w,
					   const struct algorithm *a)
{
	enum etcd_outcome outcome = etcd_doorway(w->etcd, a);

	for (;;) {
		if (outcome == ETCD_INSIDE)
			return CLUSTER_WAIT_INSIDE;
		if (outcome == ETCD_BUSY)
			return CLUSTER_WAIT_BUSY;
		if (outcome == ETCD_WAITS && wait_for_change(w)) {
			outcome = poll_again(w, a);
			continue;
		}
		if (outcome == ETCD_WAITS)
			give_up(w, a);
		if (!w->suspended || w->signal)
			return outcome == ETCD_STOPPED ? reason(w)
			       : w->signal             ? CLUSTER_WAIT_SIGNAL
						       : CLUSTER_WAIT_TIMEOUT;
		suspend(w);
		outcome = etcd_doorway(w->etcd, a);
	}
}
