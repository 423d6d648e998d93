/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading /proc. */
#ifndef ATMOST_RUNTIME_PROC_H
#define ATMOST_RUNTIME_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* False: /proc is missing, or shows another pid namespace, where our pids mean
 * other processes. */
bool proc_is_ours(void);

/* Contents of a stat file. */
struct proc_stat {
	uint64_t start; /* in ticks after boot */
	bool zombie;
	bool ended; /* a zombie without other threads */
	bool exiting;
};

/* False: the file cannot be read, or proc_is_ours is false. */
bool proc_stat_of(pid_t pid, struct proc_stat *stat);
bool proc_stat_of_thread(pid_t pid, pid_t thread, struct proc_stat *stat);

#endif
