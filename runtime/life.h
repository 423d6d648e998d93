/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Life: whether a member is dead, by the kernel's word.
 *
 * Each member's record has a life lock, a robust mutex shared between
 * processes, which the joining thread takes and keeps until it parts.  When the
 * thread ends, or its process is killed, the kernel marks the lock: whoever
 * gets it from then on knows that the one who had it is no more.  A stopped
 * process keeps its locks; a forked child does not inherit them; a pid that is
 * used again has none.
 */
#ifndef ATMOST_RUNTIME_LIFE_H
#define ATMOST_RUNTIME_LIFE_H

#include "runtime/layout.h"

#include <sys/types.h>

struct timespec;

/* What the locks are made by; differs where they could not be shared. */
void life_abi(char *text, size_t size);

void life_prepare(struct life *life);

enum life_taken {
	LIFE_FREE,    /* ours now; nobody had it */
	LIFE_DEAD,    /* ours now; who had it is dead */
	LIFE_BUSY,    /* somebody living has it */
	LIFE_DAMAGED  /* this is no life lock */
};

/* Does not wait; life_take_before does, until the deadline. */
enum life_taken life_take(struct life *life);
enum life_taken life_take_before(struct life *life,
				 const struct timespec *deadline);

/* By the thread that took it. */
void life_release(struct life *life);

/* Of who living has it, the thread; 0: nobody. */
pid_t life_owner(const struct life *life);

/* A glance, no system call: false while somebody living has it. */
bool life_is_free(const struct life *life);

/* Whether there is a thread of the number that the lock has for its owner. */
bool life_is_somebodys(const struct life *life);

/* The same: who had it is dead, and nobody has taken it since. */
bool life_is_orphan(const struct life *life);

/*
 * Adds the lock to what a sleeper watches: its owner's death will end the
 * sleep, of one sleeper at least.  False: there is no living owner.
 */
bool life_watch(struct life *life, struct wait_watch *watch);

#endif
