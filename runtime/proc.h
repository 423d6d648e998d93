/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads /proc. */
#ifndef ATMOST_RUNTIME_PROC_H
#define ATMOST_RUNTIME_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns false if /proc is missing, or shows another pid namespace, in which
 * our pids mean other processes. */
bool proc_is_ours(void);

/* Contents of a stat file. */
struct proc_stat {
	uint64_t start; /* in ticks after boot */
	bool zombie;
	bool ended; /* a zombie without other threads */
	bool exiting;
};

/*
 * Read the stat file of a process or of a thread.  Return false if the file
 * cannot be read, or if proc_is_ours returns false.
 */
bool proc_stat_of(pid_t pid, struct proc_stat *stat);
bool proc_stat_of_thread(pid_t pid, pid_t thread, struct proc_stat *stat);

#endif
