/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The wrapper and its command in a slot of etcd.  Three clocks stop the command
 * before the lease of the slot can end:
 *
 *   valid_until - lease/3   the wrapper sends SIGTERM
 *   valid_until - lease/8   the wrapper kills the command, and so does the guard
 *
 * valid_until is the time at which the wrapper sent the last keepalive that
 * etcd has answered, plus the lease.  etcd cannot end the lease earlier, if the
 * rates of its clock and of ours differ by less than an eighth.  If etcd says
 * that the slot is gone, the wrapper kills the command at once.  The guard also
 * kills the command if the wrapper ends (cli/guard.h).
 *
 * The wrapper and the guard kill the command's process group.  But the command
 * of a foreground job is in the process group of its caller's pipeline.  There
 * they kill the command and its descendants: by a control group if the wrapper
 * may make one, and by /proc.
 */
#include "cli/cluster_hold.h"

#include "cli/guard.h"
#include "cli/not_run.h"
#include "cli/safe_text.h"
#include "memory/etcd/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static const char no_contact[] =
	"etcd did not answer in time to keep the lease";

struct holder {
	struct etcd *etcd;
	const struct run_options *run;
	struct supervised *s;
	int signals; /* signalfd */
	struct guard guard;
	struct guard_target target;
	char *marks[TREE_MARKS];
	bool keep; /* --on-loss=keep */
	bool on_terminal;
	int64_t told;        /* the moment that the guard knows */
	int64_t sentinel_at; /* when to start the sentinel */
	bool warned;         /* about the present loss of contact */
	bool interrupted;    /* the command got SIGTERM */
	bool lost;
};

static int64_t lease_part(const struct lease *lease, int part)
{
	return lease->seconds * second / part;
}

static int64_t warn_at(const struct holder *h)
{
	const struct lease *lease = h->etcd->lease;

	return lease->valid_until - lease_part(lease, 3);
}

static int64_t kill_at(const struct holder *h)
{
	const struct lease *lease = h->etcd->lease;

	return lease->valid_until - lease_part(lease, 8);
}

__attribute__((format(printf, 2, 3))) static void say(const struct holder *h,
						      const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	fprintf(stderr, "atmost run: %s: ", h->run->pool);
	safe_text_print(stderr, text);
	fputc('\n', stderr);
}

/* --- starting */

/* Runs in the child of vfork, before the command. */
static int prepare(void *context)
{
	struct holder *h = context;
	const pid_t self = getpid();

	if (h->keep)
		return 0;
	cgroup_enter(&h->target.cgroup);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The wrapper sleeps until the command runs.  So if the wrapper is no
	 * longer the parent, it was killed before prctl was called. */
	if (getppid() != h->target.descendants.spared[0])
		_exit(NOT_RUN);
	if (h->s->job.own_group)
		h->target.group = self;
	if (!h->s->all)
		h->target.descendants.root = self;
	guard_tell(&h->guard, &h->target, h->told);
	return 0;
}

/* "VAR=VALUE" of this process's environment. */
static char *variable(const char *name)
{
	const char *value = getenv(name);
	char *text;

	return value && asprintf(&text, "%s=%s", name, value) > 0 ? text : NULL;
}

/* Returns 0, or an exit status after a message. */
static int start_guard(struct holder *h)
{
	int error;

	h->told = kill_at(h);
	error = guard_start(&h->guard, &h->target, h->told);
	if (!error)
		return 0;
	say(h, "the process that guards the command cannot be started: %s",
	    strerror(error));
	return NOT_RUN;
}

static bool is_foreground_job(void)
{
	int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	bool is = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();

	if (terminal >= 0)
		close(terminal);
	return is;
}

static bool has_terminal(void)
{
	int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (terminal >= 0)
		close(terminal);
	return terminal >= 0;
}

/* Returns 0, or an exit status after a message. */
static int start(struct holder *h)
{
	const bool own_group = h->run->new_group || !is_foreground_job();
	int code = 0, error;

	h->on_terminal = has_terminal();
	h->target.tree = !own_group || h->s->all;
	h->target.descendants.spared[0] = getpid();
	if (h->s->all)
		h->target.descendants.root = getpid();
	if (h->target.tree && !h->keep)
		cgroup_make(&h->target.cgroup);
	if (!h->keep)
		code = start_guard(h);
	if (code)
		return code;
	error = supervise_start(h->s, own_group, prepare, h);
	if (error)
		return not_run_report(h->s->command[0], error);
	h->sentinel_at = wire_now() + supervise_before_sentinel.tv_nsec;
	return 0;
}

/* --- the end of the lease */

static void interrupt_command(struct holder *h)
{
	const struct guard_target *target = &h->target;

	h->interrupted = true;
	if (target->group) {
		kill(-target->group, SIGTERM);
		kill(-target->group, SIGCONT);
	}
	if (target->tree) {
		process_tree_signal(&target->descendants, SIGTERM);
		process_tree_signal(&target->descendants, SIGCONT);
	}
}

static double seconds_since(int64_t moment)
{
	return (double)(wire_now() - moment) / 1e9;
}

static void warn(struct holder *h)
{
	const struct lease *lease = h->etcd->lease;
	const char *problem = wire_problem(h->etcd->wire);
	const double silent = seconds_since(lease->valid_until -
					    lease->seconds * second);

	h->warned = true;
	say(h, "no answer of etcd for %.0f s%s%s%s; %s", silent,
	    *problem ? " (" : "", problem, *problem ? ")" : "",
	    h->keep ? "the command goes on (--on-loss=keep)"
		    : "the command gets SIGTERM, and is killed if etcd does not "
		      "answer soon");
	if (!h->keep)
		interrupt_command(h);
}

static void lose(struct holder *h, const char *why)
{
	if (h->lost)
		return;
	h->lost = true;
	if (h->keep) {
		say(h,
		    "%s: the slot is lost, and another command may get it; the "
		    "command goes on (--on-loss=keep)",
		    why);
		return;
	}
	guard_kill(&h->target);
	say(h, "%s: the slot is lost, and the command was killed", why);
}

/* The guard has killed the command.  If this process has not noticed a loss of
 * contact, it was stopped meanwhile. */
static void lose_by_guard(struct holder *h)
{
	lose(h, h->warned ? no_contact
			  : "this process was stopped, or the machine was "
			    "suspended, too long to keep the lease");
}

static void check_guard(struct holder *h)
{
	if (h->guard.pid && h->told != kill_at(h)) {
		h->told = kill_at(h);
		guard_tell(&h->guard, &h->target, h->told);
	}
	if (guard_has_fired(&h->guard))
		lose_by_guard(h);
	else if (guard_has_ended(&h->guard) || (!h->guard.pid && !h->keep))
		start_guard(h);
}

static void check_lease(struct holder *h)
{
	const int64_t now = wire_now();

	if (h->lost)
		return;
	if (!etcd_has_slot(h->etcd)) {
		lose(h,
		     h->etcd->lease->id
			     ? "etcd says that the slot was given to another "
			       "command, or removed"
			     : "etcd says that the lease has ended");
		return;
	}
	check_guard(h);
	if (now >= (h->keep ? h->etcd->lease->valid_until : kill_at(h)))
		lose(h, no_contact);
	else if (now < warn_at(h))
		h->warned = false;
	else if (!h->warned)
		warn(h);
}

/* Returns the time at which check_lease or the sentinel is due next. */
static int64_t next_check(const struct holder *h)
{
	int64_t next = INT64_MAX;

	if (!h->lost)
		next = !h->warned ? warn_at(h)
		       : h->keep  ? h->etcd->lease->valid_until
				  : kill_at(h);
	if (supervise_wants_sentinel(h->s) && h->sentinel_at < next)
		next = h->sentinel_at;
	return next;
}

/* --- waiting for the end of the command */

/*
 * Ends the guard before the wrapper reaps the command: after that, another
 * process can get the command's number.
 */
static void before_reaping(struct holder *h)
{
	siginfo_t info = { .si_pid = 0 };

	if (h->s->ended ||
	    waitid(P_PID, (id_t)h->s->job.pid, &info,
		   WEXITED | WNOHANG | WNOWAIT) < 0 ||
	    !info.si_pid)
		return;
	if (guard_has_fired(&h->guard))
		lose_by_guard(h);
	/* Kills the descendants that SIGTERM did not end. */
	if (h->interrupted || (h->lost && !h->keep))
		guard_kill(&h->target);
	h->target.group = 0;
	if (h->s->all) {
		guard_tell(&h->guard, &h->target, h->told);
		return;
	}
	/* The command has ended.  So the wrapper gives the slot back already
	 * while the guard ends, which takes milliseconds. */
	if (!h->lost)
		etcd_leave_ahead(h->etcd);
	guard_dismiss(&h->guard);
}

static bool has_ended(struct holder *h)
{
	before_reaping(h);
	return supervise_has_ended(h->s);
}

/*
 * A stopped wrapper cannot keep its lease.  So the wrapper stops together with
 * its command only if a shell waits for the job to stop.
 */
static void stop(struct holder *h)
{
	if (!h->s->stopped_by)
		return;
	if (!h->on_terminal) {
		h->s->stopped_by = 0;
		return;
	}
	if (!h->keep && !job_has_pending(SIGCONT))
		say(h,
		    "stopped; if it does not go on within %.0f s, the slot is "
		    "lost and the command is killed",
		    -seconds_since(kill_at(h)));
	supervise_stop(h->s);
}

/* Waits until a child, a signal or the lease needs attention. */
static void wait_for_news(struct holder *h)
{
	struct curl_waitfd fds[2] = {
		{ .fd = h->signals, .events = CURL_WAIT_POLLIN },
		{ .fd = h->guard.process, .events = CURL_WAIT_POLLIN },
	};

	etcd_pump(h->etcd, next_check(h), fds, h->guard.process >= 0 ? 2 : 1);
	if (supervise_wants_sentinel(h->s) && wire_now() >= h->sentinel_at)
		supervise_start_sentinel(h->s);
}

static int await_end(struct holder *h)
{
	const struct timespec at_once = { .tv_sec = 0 };
	siginfo_t info;

	for (;;) {
		if (has_ended(h))
			return h->s->code;
		stop(h);
		check_lease(h);
		wait_for_news(h);
		while (sigtimedwait(&h->s->taken, &info, &at_once) > 0) {
			if (has_ended(h))
				return h->s->code;
			if (supervise_on_signal(h->s, &info))
				return SUPERVISE_SIGNALLED + info.si_signo;
		}
	}
}

int cluster_hold(struct etcd *etcd, const struct run_options *run,
		 struct supervised *s, int signals)
{
	struct holder h = { .etcd = etcd,
			    .run = run,
			    .s = s,
			    .signals = signals,
			    .guard = GUARD_NONE,
			    .keep = run->keep,
			    .marks = { variable("ATMOST_TOKEN"),
				       variable("ATMOST_HELD") } };
	int code;

	etcd_hold(etcd, (unsigned)etcd->process.slot, etcd->process.token);
	for (unsigned i = 0; i < TREE_MARKS; i++)
		h.target.descendants.mark[i] = h.marks[i];
	code = start(&h);
	if (!code)
		code = await_end(&h);
	guard_dismiss(&h.guard);
	cgroup_remove(&h.target.cgroup);
	supervise_end(s);
	for (unsigned i = 0; i < TREE_MARKS; i++)
		free(h.marks[i]);
	return !h.keep && (h.lost || h.interrupted) ? CLUSTER_LOST : code;
}
