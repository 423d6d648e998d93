/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Locks on bytes of a pool's file: the kernel's word that a process is gone.
 *
 * Such a lock belongs to an open file description, not to a process or thread
 * (F_OFD_SETLK in fcntl(2)).  The kernel releases it when the last descriptor of
 * that description is closed: when the process is killed, by whatever means, or
 * executes another program.  Pid namespaces, reused pids and memory that was
 * taken away early make no difference.
 *
 * A process takes locks through one description that it uses for nothing else,
 * and looks at locks through another: a description never sees its own.
 */
#ifndef ATMOST_RUNTIME_FILE_LOCK_H
#define ATMOST_RUNTIME_FILE_LOCK_H

#include <stdbool.h>

enum file_lock {
	FILE_LOCK_FREE,
	FILE_LOCK_HELD,
	FILE_LOCK_REFUSED /* the system call failed; errno says why */
};

/* Takes the byte; FREE: it is ours now.  Does not wait. */
enum file_lock file_lock_take(int fd, long byte);

void file_lock_release(int fd, long byte);

/* Whether another description holds one of `count` bytes. */
enum file_lock file_lock_look(int fd, long from, long count);

/* Says why a lock was refused, and what to do; returns the error. */
int file_lock_complain(void);

#endif
