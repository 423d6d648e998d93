/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes lock bytes of a pool's file; these locks are the kernel's evidence
 * that a process has ended.
 *
 * A lock belongs to an open file description, not to a process or thread
 * (F_OFD_SETLK in fcntl(2)).  The kernel releases the lock when the last
 * descriptor of the description is closed: when the process is killed, by any
 * means, or executes another program.  This holds across pid namespaces, if
 * pids are reused, and even if the OOM killer frees the memory of a killed
 * process before the process has ended.
 *
 * A process takes all locks except LOCK_DRAFT through one description, which it
 * uses for nothing else.  It looks at locks through another description,
 * because a description never sees its own locks.
 */
#ifndef ATMOST_RUNTIME_FILE_LOCK_H
#define ATMOST_RUNTIME_FILE_LOCK_H

#include <stdbool.h>

enum file_lock {
	FILE_LOCK_FREE,
	FILE_LOCK_HELD,
	FILE_LOCK_REFUSED /* the system call failed; errno says why */
};

/* Takes the lock if it is free; does not wait.  Returns FILE_LOCK_FREE if the
 * lock was free and is ours now. */
enum file_lock file_lock_take(int fd, long byte);

void file_lock_release(int fd, long byte);

/*
 * Returns FILE_LOCK_HELD if another description has locked at least one of the
 * `count` bytes.
 */
enum file_lock file_lock_look(int fd, long from, long count);

/*
 * To be called after FILE_LOCK_REFUSED: explains the failure, and returns the
 * error.
 */
int file_lock_complain(void);

#endif
