/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command and its signals.
 *
 * As the foreground job of a terminal the command stays in our process group:
 * the kernel sends what is typed to both, and we hand on only what somebody
 * sent to us alone.  Otherwise it gets a group of its own, and all that reaches
 * us goes to that group.  When it stops we stop, so that a shell sees the job
 * stop; when we go on it does.
 *
 * Nothing is handled by a handler: signals are blocked, and taken one by one.
 * Those that were ignored when we came stay ignored, by the command as well.
 */
#include "cli/child.h"

#include "cli/plain.h"

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
	bool all;                  /* wait for all it leaves behind */
	int terminal;              /* the controlling one; -1: none */
	bool apart;                /* it has a process group of its own */
	sigset_t ours;             /* what we take */
	sigset_t before;           /* what was blocked when we came */
	struct sigaction on_child; /* what was done at SIGCHLD */
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

/* Whether there is such a file along the path, that may be run or not. */
static bool is_somewhere(const char *command)
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

enum { NOT_ENTRUSTED = -1 }; /* beside what errno may be */

static int not_run(const char *command, int error)
{
	if (error == NOT_ENTRUSTED) {
		fputs("atmost run: ", stderr);
		plain_print(stderr, atmost_detail());
		fputc('\n', stderr);
		return CHILD_NOT_RUN;
	}
	/* That is also said of a folder of the path that we may not search. */
	if (error == EACCES && !strchr(command, '/') && !is_somewhere(command))
		error = ENOENT;
	fputs("atmost run: ", stderr);
	plain_print(stderr, command);
	fprintf(stderr, ": %s\n",
		error == ENOENT ? "command not found" : strerror(error));
	return error == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_RUN;
}

int child_become(struct atmost_member *me, char **command)
{
	if (atmost_entrust(me, getpid(), base_name(command[0])))
		return not_run(command[0], NOT_ENTRUSTED);
	execvp(command[0], command);
	return not_run(command[0], errno);
}

/* Starting. */

static void take_signals(struct child *c)
{
	static const int taken[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT,
				     SIGTSTP };
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction before;

	/* Ignored, it would make the kernel forget how the command ended. */
	sigaction(SIGCHLD, &usual, &c->on_child);
	sigemptyset(&c->ours);
	sigaddset(&c->ours, SIGCHLD);
	sigaddset(&c->ours, SIGCONT);
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (sigaction(taken[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaddset(&c->ours, taken[i]);
	sigprocmask(SIG_BLOCK, &c->ours, &c->before);
}

/*
 * In the child of vfork: our memory is still the parent's.  It takes the member
 * over before it becomes the command: if the parent has died, nothing runs.
 */
__attribute__((noreturn)) static void begin(const struct child *c,
					    volatile int *failure)
{
	if (c->apart)
		setpgid(0, 0);
	sigaction(SIGCHLD, &c->on_child, NULL);
	if (atmost_entrust_as(c->me, getpid(), base_name(c->command[0]),
			      c->all ? ATMOST_ENTRUST_BOTH : 0)) {
		*failure = NOT_ENTRUSTED;
		_exit(CHILD_NOT_RUN);
	}
	sigprocmask(SIG_SETMASK, &c->before, NULL);
	execvp(c->command[0], c->command);
	*failure = errno;
	_exit(CHILD_NOT_RUN);
}

/* 0, or why it did not become the command. */
static int start(struct child *c)
{
	volatile int failure = 0;
	int status;

	c->pid = vfork();
	if (c->pid == 0)
		begin(c, &failure);
	if (c->pid < 0)
		return errno;
	if (failure)
		while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
			;
	return failure;
}

/* Signals. */

static void pass_on(const struct child *c, int signal)
{
	if (c->ended && !c->apart)
		return;
	kill(c->apart ? -c->pid : c->pid, signal);
}

/* A job that was sent to the background and fetched back. */
static void give_terminal(const struct child *c)
{
	sigset_t output, before;

	if (!c->apart || !in_foreground(c))
		return;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
	tcsetpgrp(c->terminal, c->pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* As the command did where a shell looks, which tells the signals apart. */
static void stop_too(const struct child *c, int signal)
{
	const int by = signal == SIGTSTP && !c->apart &&
				       sigismember(&c->ours, SIGTSTP) == 1
			       ? SIGTSTP
			       : SIGSTOP;
	sigset_t only;

	kill(getpid(), by);
	sigemptyset(&only);
	sigaddset(&only, by);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	/* Here we stand still until somebody sends CONT. */
	sigprocmask(SIG_BLOCK, &c->ours, NULL);
}

static void follow_stop(const struct child *c, int signal)
{
	/* It wants the terminal, and that is ours to give. */
	if ((signal != SIGTTIN && signal != SIGTTOU) || !in_foreground(c) ||
	    !c->apart)
		stop_too(c, signal);
	give_terminal(c);
	pass_on(c, SIGCONT);
}

/*
 * A signal that somebody sent to all of our group looks like one for us alone:
 * the command gets it twice, for the other mistake would be to lose one.  But
 * what the command sends to its group, or to all processes, is not handed back:
 * one that answers a signal like this would never come to an end.
 */
static void heed(const struct child *c, const siginfo_t *info)
{
	const bool typed = info->si_code > 0;
	const bool its_own = !typed && !c->ended && info->si_pid == c->pid;

	if (info->si_signo == SIGCHLD || (typed && !c->apart) || its_own)
		return;
	if (info->si_signo == SIGCONT)
		give_terminal(c);
	pass_on(c, info->si_signo);
}

/* Waiting. */

/* One child that changed; false: there is no news.  *left: there are others. */
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
		follow_stop(c, info.si_status);
		return true;
	}
	c->ended = true;
	c->code = info.si_code == CLD_EXITED ? info.si_status
					     : CHILD_KILLED + info.si_status;
	return c->all;
}

/* Who only waits for what the command left behind may be ended. */
static bool ends_waiting(const struct child *c, int signal)
{
	return c->ended && signal != SIGCHLD && signal != SIGCONT &&
	       signal != SIGTSTP;
}

/* All that has changed is seen to; true: nothing is left to wait for. */
static bool has_ended(struct child *c)
{
	bool left;

	while (reap(c, &left) && !(c->ended && !c->all))
		;
	return c->ended && !(c->all && left);
}

/*
 * Before a signal is heeded, too: SIGTERM is taken before SIGCHLD, and must not
 * go to a command that has ended before it.
 */
static int await_end(struct child *c)
{
	siginfo_t info;

	for (;;) {
		if (has_ended(c))
			return c->code;
		if (sigwaitinfo(&c->ours, &info) < 0)
			continue;
		if (has_ended(c))
			return c->code;
		heed(c, &info);
		if (ends_waiting(c, info.si_signo))
			return CHILD_KILLED + info.si_signo;
	}
}

int child_run(struct atmost_member *me, char **command, bool all)
{
	struct child c = { .me = me, .command = command, .all = all };
	int error, code;

	c.terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	c.apart = !in_foreground(&c);
	if (all)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	take_signals(&c);
	error = start(&c);
	code = error ? not_run(command[0], error) : await_end(&c);
	if (c.terminal >= 0)
		close(c.terminal);
	return code;
}
