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
 * also forwards the signals to its own group.  The sentinel tells the wrapper
 * where a signal was sent (cli/sentinel.h).
 *
 * With --new-group the command gets a process group of its own, and the wrapper
 * forwards every signal to that group.  If the wrapper is in the foreground,
 * the new group also gets the terminal.
 *
 * When the command stops, the wrapper stops, so that a shell sees the job stop.
 * When the wrapper continues, it forwards SIGCONT like any other signal.
 *
 * There are no handlers: all signals are blocked, and the wrapper takes them
 * one by one.  The wrapper and the command both ignore a signal that was
 * ignored at the start.
 */
#include "cli/supervise.h"

#include "cli/not_run.h"

#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A signal to the group that arrives before there is a sentinel may reach the
 * command twice.  This matters only if the command has installed a handler
 * already: otherwise the first signal ends the command.
 */
const struct timespec supervise_before_sentinel = { .tv_nsec = 10000000 };

void supervise_take_signals(struct supervised *s)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };

	/* If SIGCHLD were ignored, the kernel would discard the exit status. */
	sigaction(SIGCHLD, &usual, &s->on_child);
	sigfillset(&s->taken);
	sigprocmask(SIG_BLOCK, &s->taken, &s->blocked_before);
}

/* Runs in the child of vfork. */
__attribute__((noreturn)) static void execute(const struct supervised *s,
					      supervise_prepare *prepare,
					      void *context,
					      volatile int *failure)
{
	job_begin(&s->job);
	sigaction(SIGCHLD, &s->on_child, NULL);
	*failure = prepare(context);
	if (*failure)
		_exit(NOT_RUN);
	sigprocmask(SIG_SETMASK, &s->blocked_before, NULL);
	execvp(s->command[0], s->command);
	*failure = errno;
	_exit(NOT_RUN);
}

int supervise_start(struct supervised *s, bool new_group,
		    supervise_prepare *prepare, void *context)
{
	volatile int failure = 0;
	int status;

	job_open(&s->job, new_group);
	if (s->all)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	s->job.pid = vfork();
	if (s->job.pid == 0)
		execute(s, prepare, context, &failure);
	if (s->job.pid < 0)
		return errno;
	if (failure)
		while (waitpid(s->job.pid, &status, 0) < 0 && errno == EINTR)
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
static bool has_reached_command(struct supervised *s, const siginfo_t *info)
{
	const bool from_kernel = info->si_code > 0;
	const bool to_group = sentinel_saw(&s->sentinel, info) ||
			      (from_kernel &&
			       kernel_sends_to_group(info->si_signo));

	return to_group && getpgid(s->job.pid) == getpgrp();
}

/*
 * True: the command or the wrapper itself has sent the signal.  If the wrapper
 * forwarded the signal, a command whose handler signals its group or its parent
 * would be signalled for ever.  The wrapper gets SIGPIPE from itself if it
 * writes to a closed pipe.
 */
static bool is_from_inside(const struct supervised *s, const siginfo_t *info)
{
	return (info->si_code == SI_USER || info->si_code == SI_QUEUE ||
		info->si_code == SI_TKILL) &&
	       (info->si_pid == getpid() ||
		(!s->ended && info->si_pid == s->job.pid));
}

static void forward(struct supervised *s, const siginfo_t *info)
{
	bool reached;

	if (info->si_signo == SIGCHLD ||
	    (info->si_signo != SIGCONT && job_ignores(info->si_signo)))
		return;
	reached = !s->job.own_group && has_reached_command(s, info);
	if (reached || is_from_inside(s, info))
		return;
	if (info->si_signo == SIGCONT) {
		job_give_terminal(&s->job);
		s->stopped_by = 0;
	}
	if (!s->ended || s->job.own_group)
		job_send(&s->job, info);
}

/*
 * Handles one child that has ended, stopped or continued.  True: there may be
 * another such child, so the caller must call again.  *left: there are children
 * left.
 */
static bool reap(struct supervised *s, bool *left)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(s->all ? P_ALL : P_PID, (id_t)s->job.pid, &info,
		   WEXITED | WSTOPPED | WCONTINUED | WNOHANG) < 0) {
		*left = false;
		return errno == EINTR;
	}
	*left = true;
	if (!info.si_pid)
		return false;
	if (info.si_pid != s->job.pid)
		return true;
	if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED ||
	    info.si_code == CLD_CONTINUED) {
		s->stopped_by = info.si_code == CLD_CONTINUED ? 0
							      : info.si_status;
		return true;
	}
	s->ended = true;
	s->stopped_by = 0;
	s->code = info.si_code == CLD_EXITED
			  ? info.si_status
			  : SUPERVISE_SIGNALLED + info.si_status;
	return s->all;
}

bool supervise_has_ended(struct supervised *s)
{
	bool left;

	while (reap(s, &left) && !(s->ended && !s->all))
		;
	return s->ended && !(s->all && left);
}

/*
 * While the wrapper waits for the descendants of a command that has ended,
 * signals have their usual effect on the wrapper.  True: the signal ends the
 * wait.
 */
static bool ends_waiting(struct supervised *s, int signal)
{
	if (!s->ended || job_ignores(signal))
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
		job_stop_wrapper(&s->job, signal);
		return false;
	default:
		return true;
	}
}

bool supervise_on_signal(struct supervised *s, const siginfo_t *info)
{
	forward(s, info);
	return ends_waiting(s, info->si_signo);
}

/*
 * If SIGCONT is pending, it was sent after the command stopped, or at the same
 * time.  So the wrapper takes SIGCONT first, and then looks again whether the
 * command is stopped.
 */
void supervise_stop(struct supervised *s)
{
	if (!s->stopped_by || job_has_pending(SIGCONT))
		return;
	job_on_stop(&s->job, s->stopped_by);
	s->stopped_by = 0;
}

bool supervise_wants_sentinel(const struct supervised *s)
{
	return !s->job.own_group && !s->has_run_long && !s->sentinel.pid;
}

void supervise_start_sentinel(struct supervised *s)
{
	s->has_run_long = true;
	sentinel_start(&s->sentinel);
}

void supervise_end(struct supervised *s)
{
	sentinel_end(&s->sentinel);
	job_close(&s->job);
}

int supervise_finish(int code)
{
	const struct rlimit no_core = { 0, 0 };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	const int signal = code - SUPERVISE_SIGNALLED;
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
	return SUPERVISE_KILLED + signal;
}
