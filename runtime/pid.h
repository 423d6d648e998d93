/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes by their number.  A number is used again: a process is known by it
 * and by when it started.
 */
#ifndef ATMOST_RUNTIME_PID_H
#define ATMOST_RUNTIME_PID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pid_look {
	uint64_t start; /* in clock ticks after boot */
	bool ended;     /* a zombie, all its threads */
};

/* What a stat file of /proc tells; false: nothing. */
bool pid_look(const char *path, struct pid_look *look);

/* When it started; 0: not known, as /proc is not there or of others. */
uint64_t pid_start(pid_t pid);

/* Not there any more, of this pid namespace; a start of 0 is not compared. */
bool pid_is_gone(pid_t pid, uint64_t start);

#endif
