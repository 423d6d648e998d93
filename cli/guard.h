/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guard of a command whose slot is in etcd: a process that kills the command
 * before the lease of the slot can end, even if the wrapper cannot.  "The
 * wrapper" is the process of `atmost run`.
 *
 * The wrapper tells the guard through a pipe until when the command may run.
 * The guard kills the command at that moment, by its own clock, and when the
 * pipe closes, because the wrapper has ended.
 */
#ifndef ATMOST_CLI_GUARD_H
#define ATMOST_CLI_GUARD_H

#include "cli/cgroup.h"
#include "cli/process_tree.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What is killed. */
struct guard_target {
	pid_t group; /* a process group; 0: none */
	bool tree;   /* kill the control group and the tree, too */
	struct cgroup cgroup;
	struct process_tree descendants;
};

struct guard {
	pid_t pid;   /* 0: there is no guard */
	int orders;  /* the pipe */
	int process; /* pidfd, readable when the guard has ended; -1: none */
	volatile int *fired; /* in memory that wrapper and guard share */
};

/* The guard before it is started. */
#define GUARD_NONE                          \
	{                                   \
		.orders = -1, .process = -1 \
	}

/* Kills the target now.  The wrapper calls this function, too. */
void guard_kill(const struct guard_target *target);

/*
 * Starts a guard.  kill_at: CLOCK_BOOTTIME in nanoseconds.  While the target
 * has neither a group nor a root, the guard only kills what has the marks.  The
 * caller blocks all signals.  Returns 0 or errno.
 */
int guard_start(struct guard *guard, const struct guard_target *target,
		int64_t kill_at);

/* Changes the moment and the target; its control group and marks stay. */
void guard_tell(const struct guard *guard, const struct guard_target *target,
		int64_t kill_at);

/* True: the guard began to kill the command. */
bool guard_has_fired(const struct guard *guard);

/* True: the guard has ended, and there is none any more. */
bool guard_has_ended(struct guard *guard);

/* Ends the guard; the command lives on. */
void guard_dismiss(struct guard *guard);

#endif
