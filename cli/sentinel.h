/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sentinel helps the wrapper to distinguish a signal to its process group
 * from a signal to the wrapper alone.  "The wrapper" is the process of `atmost
 * run`.
 *
 * The sentinel is a child of the wrapper, in the wrapper's process group.  It
 * blocks all signals, so a signal to the group stays pending there, and /proc
 * shows the pending signals of a process.  When the wrapper has taken a signal,
 * it looks at the sentinel: if the signal is pending there, it was sent to the
 * group.
 */
#ifndef ATMOST_CLI_SENTINEL_H
#define ATMOST_CLI_SENTINEL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sentinel {
	pid_t pid;    /* 0: there is no sentinel */
	uint64_t due; /* signals to the group, seen by an earlier sentinel, that
		       * the wrapper has not taken yet */
};

/* Starts a sentinel.  The caller blocks all signals, from now on until
 * sentinel_end. */
void sentinel_start(struct sentinel *sentinel);

/*
 * True: the signal that sigwaitinfo has returned was sent to the group.  False:
 * it was sent to the wrapper alone, or there is no sentinel that could tell.
 * The caller must ask about every signal except SIGCHLD.  May take some
 * milliseconds.
 */
bool sentinel_saw(struct sentinel *sentinel, const siginfo_t *info);

void sentinel_end(struct sentinel *sentinel);

#endif
