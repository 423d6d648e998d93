/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command and its signals.  "The wrapper" is this process.
 *
 * The command stays in the wrapper's process group, so that SIGKILL to the
 * group, which the wrapper could not forward, ends the command, too.  The
 * terminal sends the signal of a key such as Ctrl-C to all processes of the
 * group, and a process, too, can send a signal to the whole group.  In both
 * cases the command gets the signal without the wrapper.  The wrapper forwards
 * all other signals.  If the command has moved to another group, the wrapper
 * also forwards signals that were sent to the wrapper's group.  The sentinel
 * tells the wrapper where a signal was sent (cli/sentinel.h).
 *
 * With --new-group the command gets a process group of its own, and the wrapper
 * forwards every signal to that group.  If the wrapper is in the foreground,
 * the new group also gets the terminal.
 *
 * When the command stops, the wrapper stops, so that a shell sees the job stop.
 * When the wrapper continues, it forwards SIGCONT like any other signal.
 *
 * There are no handlers: all signals are blocked, and sigwaitinfo takes them
 * one by one.  The wrapper and the command both ignore a signal that was
 * ignored at the start.
 */
#include "cli/child.h"

#include "cli/job.h"
#include "cli/not_run.h"
#include "cli/sentinel.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
	struct atmost_member *me;
	char **command;
	bool all;                  /* wait for all descendants, too */
	struct job job;            /* the command */
	sigset_t taken;            /* signals that sigwaitinfo takes: all */
	sigset_t blocked_before;   /* signal mask at the start */
	struct sigaction on_child; /* action of SIGCHLD at the start */
	int stopped_by; /* the signal that stopped the command, if the wrapper
			   is not stopped; else 0 */
	bool ended;
	int code;
	bool has_run_long; /* the wrapper has tried to start a sentinel */
	struct sentinel sentinel;
};

/*
 * The time before the wrapper starts a sentinel: a command that ends sooner
 * does not pay for one.  A signal to the group that arrives before there is a
 * sentinel may reach the command twice.  This matters only if the command has
 * installed a handler already: otherwise the first signal ends the command.
 */
static const struct timespec before_sentinel = { .tv_nsec = 10000000 };

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

int child_exec(struct atmost_member *me, char **command)
{
	if (atmost_entrust(me, getpid(), base_name(command[0])))
		return not_run_report(command[0], NOT_ENTRUSTED);
	execvp(command[0], command);
	return not_run_report(command[0], errno);
}

static void take_signals(struct child *c)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };

	/* If SIGCHLD were ignored, the kernel would discard the exit status. */
	sigaction(SIGCHLD, &usual, &c->on_child);
	sigfillset(&c->taken);
	sigprocmask(SIG_BLOCK, &c->taken, &c->blocked_before);
}

/*
 * Runs in the child of vfork, which shares the memory of the wrapper.  The
 * child entrusts the member to itself before it executes the command.  If the
 * wrapper was killed before, entrusting fails, and the command does not run.
 */
__attribute__((noreturn)) static void execute(const struct child *c,
					      volatile int *failure)
{
	job_begin(&c->job);
	sigaction(SIGCHLD, &c->on_child, NULL);
	if (atmost_entrust_as(c->me, getpid(), base_name(c->command[0]),
			      c->all ? ATMOST_ENTRUST_BOTH : 0)) {
		*failure = NOT_ENTRUSTED;
		_exit(NOT_RUN);
	}
	sigprocmask(SIG_SETMASK, &c->blocked_before, NULL);
	execvp(c->command[0], c->command);
	*failure = errno;
	_exit(NOT_RUN);
}

/* Returns 0, or NOT_ENTRUSTED or errno. */
static int start(struct child *c)
{
	volatile int failure = 0;
	int status;

	c->job.pid = vfork();
	if (c->job.pid == 0)
		execute(c, &failure);
	if (c->job.pid < 0)
		return errno;
	if (failure)
		while (waitpid(c->job.pid, &status, 0) < 0 && errno == EINTR)
			;
	return failure;
}

/* True: the kernel sends this signal to groups only.  There is one exception:
 * when the terminal is gone, the leader of a session gets SIGHUP and SIGCONT
 * alone. */
static bool kernel_sends_to_group(int signal)
{
	switch (signal) {
	case SIGINT:
	case SIGQUIT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGWINCH:
		return true;
	case SIGHUP:
	case SIGCONT:
		return getsid(0) != getpid();
	default:
		return false;
	}
}

/*
 * True: the signal has reached the command without the wrapper.  If the wrapper
 * cannot know this, the answer is false, because a signal that the command gets
 * twice does less harm than a signal that it never gets.
 */
static bool has_reached_command(struct child *c, const siginfo_t *info)
{
	const bool from_kernel = info->si_code > 0;
	const bool to_group = sentinel_saw(&c->sentinel, info) ||
			      (from_kernel &&
			       kernel_sends_to_group(info->si_signo));

	return to_group && getpgid(c->job.pid) == getpgrp();
}

/*
 * True: the command or the wrapper itself has sent the signal.  If the wrapper
 * forwarded the signal, a command whose handler signals its group or its parent
 * would be signalled for ever.  The wrapper gets SIGPIPE from itself if it
 * writes to a closed pipe.
 */
static bool is_from_inside(const struct child *c, const siginfo_t *info)
{
	return (info->si_code == SI_USER || info->si_code == SI_QUEUE ||
		info->si_code == SI_TKILL) &&
	       (info->si_pid == getpid() ||
		(!c->ended && info->si_pid == c->job.pid));
}

static void on_signal(struct child *c, const siginfo_t *info)
{
	bool reached;

	if (info->si_signo == SIGCHLD ||
	    (info->si_signo != SIGCONT && job_ignores(info->si_signo)))
		return;
	reached = !c->job.own_group && has_reached_command(c, info);
	if (reached || is_from_inside(c, info))
		return;
	if (info->si_signo == SIGCONT) {
		job_give_terminal(&c->job);
		c->stopped_by = 0;
	}
	if (!c->ended || c->job.own_group)
		job_send(&c->job, info);
}

/*
 * Handles one child that has ended, stopped or continued.  True: there may be
 * another such child, so the caller must call again.  *left: there are children
 * left.
 */
static bool reap(struct child *c, bool *left)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(c->all ? P_ALL : P_PID, (id_t)c->job.pid, &info,
		   WEXITED | WSTOPPED | WCONTINUED | WNOHANG) < 0) {
		*left = false;
		return errno == EINTR;
	}
	*left = true;
	if (!info.si_pid)
		return false;
	if (info.si_pid != c->job.pid)
		return true;
	if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED ||
	    info.si_code == CLD_CONTINUED) {
		c->stopped_by = info.si_code == CLD_CONTINUED ? 0
							      : info.si_status;
		return true;
	}
	c->ended = true;
	c->stopped_by = 0;
	c->code = info.si_code == CLD_EXITED ? info.si_status
					     : CHILD_SIGNALLED + info.si_status;
	return c->all;
}

/* Handles all children that have ended, stopped or continued.  True: the wait
 * is over. */
static bool has_ended(struct child *c)
{
	bool left;

	while (reap(c, &left) && !(c->ended && !c->all))
		;
	return c->ended && !(c->all && left);
}

/*
 * While the wrapper waits for the descendants of a command that has ended,
 * signals have their usual effect on the wrapper.  True: the signal ends the
 * wait.
 */
static bool ends_waiting(struct child *c, int signal)
{
	if (!c->ended || job_ignores(signal))
		return false;
	switch (signal) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH:
		return false;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		job_stop_wrapper(&c->job, signal);
		return false;
	default:
		return true;
	}
}

/* False: there is no signal yet. */
static bool take_signal(struct child *c, siginfo_t *info)
{
	if (c->job.own_group || c->has_run_long || c->sentinel.pid)
		return sigwaitinfo(&c->taken, info) > 0;
	if (sigtimedwait(&c->taken, info, &before_sentinel) > 0)
		return true;
	if (errno == EAGAIN) {
		c->has_run_long = true;
		sentinel_start(&c->sentinel);
	}
	return false;
}

/*
 * The loop also calls has_ended before it forwards a signal, because the
 * command may have ended already: sigwaitinfo may return SIGTERM before
 * SIGCHLD.  If SIGCONT is pending, it was sent after the command stopped, or at
 * the same time.  So the wrapper takes SIGCONT first, and then looks again
 * whether the command is stopped.
 */
static int await_end(struct child *c)
{
	siginfo_t info;

	for (;;) {
		if (has_ended(c))
			return c->code;
		if (c->stopped_by && !job_has_pending(SIGCONT)) {
			job_on_stop(&c->job, c->stopped_by);
			c->stopped_by = 0;
		}
		if (!take_signal(c, &info))
			continue;
		if (has_ended(c))
			return c->code;
		on_signal(c, &info);
		if (ends_waiting(c, info.si_signo))
			return CHILD_SIGNALLED + info.si_signo;
	}
}

int child_run(struct atmost_member *me, char **command, bool all,
	      bool new_group)
{
	struct child c = { .me = me, .command = command, .all = all };
	int error, code;

	job_open(&c.job, new_group);
	if (all)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	take_signals(&c);
	error = start(&c);
	code = error ? not_run_report(command[0], error) : await_end(&c);
	sentinel_end(&c.sentinel);
	job_close(&c.job);
	return code;
}

int child_finish(int code)
{
	const struct rlimit no_core = { 0, 0 };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	const int signal = code - CHILD_SIGNALLED;
	sigset_t only;

	if (signal <= 0)
		return code;
	/* If the command has left a core file, this process must not overwrite
	 * it with its own.  The second call is for systems that pipe core dumps
	 * to a program. */
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(signal, &usual, NULL);
	sigemptyset(&only);
	sigaddset(&only, signal);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(signal);
	return CHILD_KILLED + signal;
}
