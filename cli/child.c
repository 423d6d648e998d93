/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command and its signals.  "The wrapper" is this process.
 *
 * If the wrapper is in the foreground job of a terminal, the command stays in
 * the wrapper's process group.  The kernel sends the signals of typed keys to
 * the whole group, so the wrapper forwards only signals that a process sent.
 * Otherwise the command gets a process group of its own, and the wrapper
 * forwards every signal to that group.
 *
 * When the command stops, the wrapper stops, so that a shell sees the job stop;
 * when the wrapper continues, it continues the command.
 *
 * There are no handlers: the signals are blocked, and sigwaitinfo takes them
 * one by one.  The wrapper and the command both ignore a signal that was
 * ignored at the start.
 */
#include "cli/child.h"

#include "cli/safe_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
	struct atmost_member *me;
	char **command;
	bool all;                  /* wait for all descendants, too */
	int terminal;              /* the controlling terminal; -1: none */
	bool own_group;            /* the command has its own process group */
	sigset_t taken;            /* signals that sigwaitinfo takes */
	sigset_t blocked_before;   /* signal mask at the start */
	struct sigaction on_child; /* action of SIGCHLD at the start */
	pid_t pid;
	bool ended;
	int code;
};

static bool in_foreground(const struct child *c)
{
	return c->terminal >= 0 && tcgetpgrp(c->terminal) == getpgrp();
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* True: a directory of $PATH has a file of this name, executable or not. */
static bool is_in_path(const char *command)
{
	const char *path = getenv("PATH"), *next;
	char file[PATH_MAX];

	for (; path; path = next ? next + 1 : NULL) {
		next = strchr(path, ':');
		snprintf(file, sizeof file, "%.*s/%s",
			 (int)(next ? next - path : (ptrdiff_t)strlen(path)),
			 path, command);
		if (access(file, F_OK) == 0)
			return true;
	}
	return false;
}

enum { NOT_ENTRUSTED = -1 }; /* errno is never negative */

static int report_not_run(const char *command, int error)
{
	if (error == NOT_ENTRUSTED) {
		fputs("atmost run: ", stderr);
		safe_text_print(stderr, atmost_detail());
		fputc('\n', stderr);
		return CHILD_NOT_RUN;
	}
	/* execvp also fails with EACCES if no directory of $PATH has the
	 * command, but this user may not search one of them. */
	if (error == EACCES && !strchr(command, '/') && !is_in_path(command))
		error = ENOENT;
	fputs("atmost run: ", stderr);
	safe_text_print(stderr, command);
	fprintf(stderr, ": %s\n",
		error == ENOENT ? "command not found" : strerror(error));
	return error == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_RUN;
}

int child_exec(struct atmost_member *me, char **command)
{
	if (atmost_entrust(me, getpid(), base_name(command[0])))
		return report_not_run(command[0], NOT_ENTRUSTED);
	execvp(command[0], command);
	return report_not_run(command[0], errno);
}

static void take_signals(struct child *c)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT,
				       SIGTSTP };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction before;

	/* If SIGCHLD were ignored, the kernel would discard the exit status. */
	sigaction(SIGCHLD, &usual, &c->on_child);
	sigemptyset(&c->taken);
	sigaddset(&c->taken, SIGCHLD);
	sigaddset(&c->taken, SIGCONT);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaddset(&c->taken, signals[i]);
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
	if (c->own_group)
		setpgid(0, 0);
	sigaction(SIGCHLD, &c->on_child, NULL);
	if (atmost_entrust_as(c->me, getpid(), base_name(c->command[0]),
			      c->all ? ATMOST_ENTRUST_BOTH : 0)) {
		*failure = NOT_ENTRUSTED;
		_exit(CHILD_NOT_RUN);
	}
	sigprocmask(SIG_SETMASK, &c->blocked_before, NULL);
	execvp(c->command[0], c->command);
	*failure = errno;
	_exit(CHILD_NOT_RUN);
}

/* Returns 0, or NOT_ENTRUSTED or errno. */
static int start(struct child *c)
{
	volatile int failure = 0;
	int status;

	c->pid = vfork();
	if (c->pid == 0)
		execute(c, &failure);
	if (c->pid < 0)
		return errno;
	if (failure)
		while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
			;
	return failure;
}

static void forward(const struct child *c, int signal)
{
	if (c->ended && !c->own_group)
		return;
	kill(c->own_group ? -c->pid : c->pid, signal);
}

/* A shell that brings the job to the foreground gives the terminal to the
 * wrapper's process group, but the command's process group needs it. */
static void give_terminal(const struct child *c)
{
	sigset_t output, before;

	if (!c->own_group || !in_foreground(c))
		return;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
	tcsetpgrp(c->terminal, c->pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Stops the wrapper, if possible by the signal that stopped the command,
 * because a shell reports that signal. */
static void stop_wrapper(const struct child *c, int signal)
{
	const int by = signal == SIGTSTP && !c->own_group &&
				       sigismember(&c->taken, SIGTSTP) == 1
			       ? SIGTSTP
			       : SIGSTOP;
	sigset_t only;

	kill(getpid(), by);
	sigemptyset(&only);
	sigaddset(&only, by);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	/* The wrapper is stopped here until SIGCONT. */
	sigprocmask(SIG_BLOCK, &c->taken, NULL);
}

static void on_command_stopped(const struct child *c, int signal)
{
	/* If the command stopped because it needs the terminal, and the wrapper
	 * can give it the terminal, the wrapper need not stop. */
	if ((signal != SIGTTIN && signal != SIGTTOU) || !in_foreground(c) ||
	    !c->own_group)
		stop_wrapper(c, signal);
	give_terminal(c);
	forward(c, SIGCONT);
}

/*
 * The wrapper cannot tell whether a process sent a signal to the whole process
 * group or to the wrapper alone, and forwards the signal in both cases.  So a
 * signal to the group reaches the command twice.  If the wrapper forwarded no
 * such signal, the command would miss signals to the wrapper alone.  The
 * wrapper does not forward a signal from the command itself: a command whose
 * signal handler sends the signal to its group would be signalled for ever.
 */
static void on_signal(const struct child *c, const siginfo_t *info)
{
	const bool typed = info->si_code > 0;
	const bool from_command = !typed && !c->ended && info->si_pid == c->pid;

	if (info->si_signo == SIGCHLD || (typed && !c->own_group) ||
	    from_command)
		return;
	if (info->si_signo == SIGCONT)
		give_terminal(c);
	forward(c, info->si_signo);
}

/* Handles one child that has ended or stopped.  True: there may be another such
 * child, so the caller must call again.  *left: there are children left. */
static bool reap(struct child *c, bool *left)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(c->all ? P_ALL : P_PID, (id_t)c->pid, &info,
		   WEXITED | WSTOPPED | WNOHANG) < 0) {
		*left = false;
		return errno == EINTR;
	}
	*left = true;
	if (!info.si_pid)
		return false;
	if (info.si_pid != c->pid)
		return true;
	if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED) {
		on_command_stopped(c, info.si_status);
		return true;
	}
	c->ended = true;
	c->code = info.si_code == CLD_EXITED ? info.si_status
					     : CHILD_KILLED + info.si_status;
	return c->all;
}

/* True: the signal ends the wait for the descendants of a command that has
 * ended. */
static bool ends_waiting(const struct child *c, int signal)
{
	return c->ended && signal != SIGCHLD && signal != SIGCONT &&
	       signal != SIGTSTP;
}

/* Handles all children that have ended or stopped.  True: the wait is over. */
static bool has_ended(struct child *c)
{
	bool left;

	while (reap(c, &left) && !(c->ended && !c->all))
		;
	return c->ended && !(c->all && left);
}

/*
 * The loop also calls has_ended before it forwards a signal, because the
 * command may have ended already: sigwaitinfo may return SIGTERM before
 * SIGCHLD.
 */
static int await_end(struct child *c)
{
	siginfo_t info;

	for (;;) {
		if (has_ended(c))
			return c->code;
		if (sigwaitinfo(&c->taken, &info) < 0)
			continue;
		if (has_ended(c))
			return c->code;
		on_signal(c, &info);
		if (ends_waiting(c, info.si_signo))
			return CHILD_KILLED + info.si_signo;
	}
}

int child_run(struct atmost_member *me, char **command, bool all)
{
	struct child c = { .me = me, .command = command, .all = all };
	int error, code;

	c.terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	c.own_group = !in_foreground(&c);
	if (all)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	take_signals(&c);
	error = start(&c);
	code = error ? report_not_run(command[0], error) : await_end(&c);
	if (c.terminal >= 0)
		close(c.terminal);
	return code;
}
