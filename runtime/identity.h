/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An identity distinguishes a process from later processes with the same pid.
 *
 * A process is identified by the inode of its pidfd, which no other process has
 * until the next boot (Linux 6.9).  Without such an inode a process is
 * identified by its pid and its start time; only readers of the same time
 * namespace see the same start time.  A pid has a meaning only in its own pid
 * namespace.
 */
#ifndef ATMOST_RUNTIME_IDENTITY_H
#define ATMOST_RUNTIME_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A field that is 0 is not known; if `inode` is known, `start` is not looked
 * up. */
struct identity {
	uint64_t pid;
	uint64_t space;      /* the inode of its pid namespace */
	uint64_t start;      /* in ticks after boot */
	uint64_t time_space; /* the time namespace in which start was read */
	uint64_t inode;      /* the inode of its pidfd */
};

/*
 * Get the identity of this process, or of any process of our pid namespace.
 * identity_of returns false if there is no such process.  If it returns true,
 * errno is 0 or says why the kernel gave no pidfd.
 */
void identity_of_self(struct identity *self);
bool identity_of(pid_t pid, struct identity *identity);

bool identity_is_self(const struct identity *identity);

/* Returns true if the identity is complete enough to distinguish its process
 * from all others. */
bool identity_is_certain(const struct identity *identity);

enum identity_answer {
	IDENTITY_ALIVE,
	IDENTITY_ENDED,  /* perhaps a zombie; all its files are closed */
	IDENTITY_UNKNOWN /* this process cannot find out */
};

/*
 * Asks about a process of our own pid namespace.  Unless pidfd is NULL, sets
 * *pidfd to a descriptor that becomes readable when the process ends, or to -1
 * if the process is not alive or the kernel gives no descriptor.
 */
enum identity_answer identity_ask(const struct identity *identity, int *pidfd);

/* Returns the number of our pid namespace, or 0 if it is not known.  Processes
 * with equal numbers are in the same namespace. */
uint64_t identity_own_space(void);

/*
 * Returns true if the process has begun to exit; it will not execute another
 * program.
 */
bool identity_is_exiting(pid_t pid);

/*
 * Returns true if the thread has ended.  The answer is reliable only if the
 * process is alive and in our pid namespace.  If `quick` is set, the function
 * does not read /proc, and so misses the end of a process's first thread, which
 * only /proc shows.
 */
bool identity_thread_has_ended(pid_t pid, pid_t thread, bool quick);

#endif
