/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/job.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static bool in_foreground(const struct job *job)
{
	return job->terminal >= 0 && tcgetpgrp(job->terminal) == getpgrp();
}

void job_open(struct job *job, bool new_group)
{
	job->own_group = new_group;
	job->terminal = -1;
	if (new_group)
		job->terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
}

/* A script in the wrapper's process group may read the terminal after the
 * command has ended.  SIGTTOU is blocked, so it does not stop the wrapper when
 * the wrapper calls tcsetpgrp. */
void job_close(struct job *job)
{
	if (job->terminal < 0)
		return;
	if (tcgetpgrp(job->terminal) == job->pid)
		tcsetpgrp(job->terminal, getpgrp());
	close(job->terminal);
}

void job_begin(const struct job *job)
{
	const bool foreground = in_foreground(job);

	if (job->own_group)
		setpgid(0, 0);
	if (foreground)
		tcsetpgrp(job->terminal, getpid());
}

void job_send(const struct job *job, const siginfo_t *info)
{
	if (job->own_group)
		kill(-job->pid, info->si_signo);
	else if (info->si_code != SI_QUEUE ||
		 sigqueue(job->pid, info->si_signo, info->si_value) < 0)
		kill(job->pid, info->si_signo);
}

void job_continue(const struct job *job)
{
	kill(job->own_group ? -job->pid : job->pid, SIGCONT);
}

void job_give_terminal(const struct job *job)
{
	if (in_foreground(job))
		tcsetpgrp(job->terminal, job->pid);
}

bool job_ignores(int signal)
{
	struct sigaction now;

	return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

bool job_has_pending(int signal)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

bool job_stop_wrapper(const struct job *job, int signal)
{
	const bool of_terminal = signal == SIGTSTP || signal == SIGTTIN ||
				 signal == SIGTTOU;
	const int by = of_terminal && !job->own_group && !job_ignores(signal)
			       ? signal
			       : SIGSTOP;
	sigset_t only;

	kill(getpid(), by);
	sigemptyset(&only);
	sigaddset(&only, by);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	/* The wrapper is stopped here until SIGCONT. */
	sigprocmask(SIG_BLOCK, &only, NULL);
	return job_has_pending(SIGCONT);
}

/*
 * The kernel does not let the wrapper stop in two cases: if the wrapper is the
 * first process of a pid namespace, or if the signal is SIGTSTP, SIGTTIN or
 * SIGTTOU and the wrapper's process group has no shell that could continue the
 * group.  Then the wrapper continues the command, because no other process
 * would.  But it does not continue a command that stopped because it is not
 * allowed to use the terminal: that command would stop again and again.
 */
void job_on_stop(const struct job *job, int signal)
{
	const bool for_terminal = signal == SIGTTIN || signal == SIGTTOU;

	if (for_terminal && in_foreground(job)) {
		job_give_terminal(job);
		job_continue(job);
	} else if (!job_stop_wrapper(job, signal) && !for_terminal) {
		job_continue(job);
	}
}
