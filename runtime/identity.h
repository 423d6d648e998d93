/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes, told from others that have their pids later.
 *
 * A process is known by the inode of its pidfd, which no other has until the
 * next boot (Linux 6.9).  Where there is none, it is known by its pid and the
 * time at which it started, which only a reader of the same time namespace sees
 * alike.  A pid means something in its own pid namespace only.
 */
#ifndef ATMOST_RUNTIME_IDENTITY_H
#define ATMOST_RUNTIME_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct identity {
	uint64_t pid;
	uint64_t space;      /* its pid namespace: the inode; 0: not known */
	uint64_t start;      /* in ticks after boot; 0: not known */
	uint64_t time_space; /* in which that was read; 0: not known */
	uint64_t inode;      /* of its pidfd; 0: not known */
};

/* This process, or another of our pid namespace; false: there is no such.  errno
 * says why there is no pidfd of it, or is 0. */
void identity_of_self(struct identity *self);
bool identity_of(pid_t pid, struct identity *identity);

/* Whether it is this process. */
bool identity_is_self(const struct identity *identity);

/* Whether the identity says enough to tell its process from others. */
bool identity_is_certain(const struct identity *identity);

enum identity_answer {
	IDENTITY_ALIVE,
	IDENTITY_ENDED,  /* also a zombie; all its files are closed */
	IDENTITY_UNKNOWN /* cannot be told from here */
};

/*
 * Of a process of our own pid namespace.  *pidfd, unless NULL: a descriptor that
 * becomes readable when it ends, if it is alive and there can be one; else -1.
 */
enum identity_answer identity_ask(const struct identity *identity, int *pidfd);

/* Our pid namespace; 0: not known.  Equal numbers are the same namespace. */
uint64_t identity_own_space(void);

/* It has begun to exit, and executes no other program. */
bool identity_is_exiting(pid_t pid);

/*
 * A thread of a living process of our pid namespace is no more.  `quick`: this
 * may be missed of the first thread, which takes a look into /proc.
 */
bool identity_thread_has_ended(pid_t pid, pid_t thread, bool quick);

#endif
