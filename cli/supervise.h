/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts the command of `atmost run`, forwards signals to it and sees how it
 * ends.  "The wrapper" is this process.  The caller decides how the wrapper
 * waits for signals.
 */
#ifndef ATMOST_CLI_SUPERVISE_H
#define ATMOST_CLI_SUPERVISE_H

#include "cli/job.h"
#include "cli/sentinel.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

enum {
	SUPERVISE_KILLED = 128,
	SUPERVISE_SIGNALLED = 256 /* not an exit status: see supervise_finish */
};

struct supervised {
	char **command;
	bool all;                  /* wait for all descendants, too */
	struct job job;            /* the command */
	sigset_t taken;            /* the signals that the wrapper takes: all */
	sigset_t blocked_before;   /* signal mask at the start */
	struct sigaction on_child; /* action of SIGCHLD at the start */
	int stopped_by; /* the signal that stopped the command, if the wrapper
			   is not stopped; else 0 */
	bool ended;
	int code;          /* of the command that has ended */
	bool has_run_long; /* the wrapper has tried to start a sentinel */
	struct sentinel sentinel;
};

/*
 * What the child process does before it executes the command.  Returns 0, or
 * why the command must not run: errno or a negative number for not_run_report.
 * The child shares the memory of the wrapper, which sleeps meanwhile.
 */
typedef int supervise_prepare(void *context);

/* Blocks all signals, so that the wrapper can take them one by one. */
void supervise_take_signals(struct supervised *s);

/*
 * Starts the command.  With `new_group`, the command gets a process group of
 * its own.  Returns 0, or errno or what `prepare` returned.  The caller has
 * taken the signals and set `command` and `all`, and calls supervise_end
 * later.
 */
int supervise_start(struct supervised *s, bool new_group,
		    supervise_prepare *prepare, void *context);

/* Handles all children that have ended, stopped or continued.  True: the wait
 * is over. */
bool supervise_has_ended(struct supervised *s);

/* If the command has stopped, stops the wrapper, until it continues. */
void supervise_stop(struct supervised *s);

/*
 * The time after which the caller calls supervise_start_sentinel, unless the
 * command has a process group of its own or has ended: a command that ends
 * sooner does not pay for a sentinel.
 */
extern const struct timespec supervise_before_sentinel;
bool supervise_wants_sentinel(const struct supervised *s);
void supervise_start_sentinel(struct supervised *s);

/*
 * Handles a signal that the wrapper has taken.  True: the signal ends the wait
 * for the descendants of a command that has ended.  The caller first calls
 * supervise_has_ended, because the command may have ended already: SIGTERM may
 * come before SIGCHLD.
 */
bool supervise_on_signal(struct supervised *s, const siginfo_t *info);

void supervise_end(struct supervised *s);

/*
 * For SUPERVISE_SIGNALLED + n, ends this process by signal n, without a core
 * file, so that a shell sees how the command ended.  If signal n does not end
 * this process, because it is the first of a pid namespace, returns 128 + n.
 * Returns any other code as it is.
 */
int supervise_finish(int code);

#endif
