/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Identities: they tell a process from later processes with the same pid.
 *
 * A process is identified by the inode of its pidfd, which no other process has
 * until the next boot (Linux 6.9).  Without such an inode it is identified by
 * its pid and its start time; only readers of the same time namespace see the
 * same start time.  A pid has a meaning only in its own pid namespace.
 */
#ifndef ATMOST_RUNTIME_IDENTITY_H
#define ATMOST_RUNTIME_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* 0: not known. */
struct identity {
	uint64_t pid;
	uint64_t space;      /* the inode of its pid namespace */
	uint64_t start;      /* in ticks after boot */
	uint64_t time_space; /* the time namespace in which start was read */
	uint64_t inode;      /* of its pidfd */
};

/*
 * The identity of this process, or of another process of our pid namespace.
 * False: there is no such process.  errno says why there is no pidfd, or is 0.
 */
void identity_of_self(struct identity *self);
bool identity_of(pid_t pid, struct identity *identity);

bool identity_is_self(const struct identity *identity);

/* True: the identity says enough to tell its process from others. */
bool identity_is_certain(const struct identity *identity);

enum identity_answer {
	IDENTITY_ALIVE,
	IDENTITY_ENDED,  /* perhaps a zombie; all its files are closed */
	IDENTITY_UNKNOWN /* this process cannot find out */
};

/*
 * Asks about a process of our own pid namespace.  Unless pidfd is NULL, sets
 * *pidfd: a descriptor that becomes readable when the process ends; -1: the
 * process is not alive, or the kernel gives no descriptor.
 */
enum identity_answer identity_ask(const struct identity *identity, int *pidfd);

/* Our pid namespace; 0: not known.  Equal numbers are the same namespace. */
uint64_t identity_own_space(void);

/* True: the process has begun to exit; it will not execute another program. */
bool identity_is_exiting(pid_t pid);

/*
 * True: the thread has ended.  Its process is alive, and of our pid namespace.
 * `quick`: does not read /proc, and so misses the end of a process's first
 * thread, which only /proc shows.
 */
bool identity_thread_has_ended(pid_t pid, pid_t thread, bool quick);

#endif
