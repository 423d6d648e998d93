/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A life lock tells a sleeping waiter at once that a member has died.
 *
 * Each member's record has a life lock, a robust mutex shared between
 * processes.  The joining thread takes the lock and keeps it until the member
 * parts.  When the thread ends, or its process is killed, the kernel marks the
 * lock and wakes a sleeper that watches it.
 *
 * The mark is a hint that the member is dead, not a proof (death.h has the
 * proof).  The kernel marks the lock before the process has closed its files.
 * The kernel may also fail to mark the lock, because it finds the lock by a
 * list in the memory of the dead process: an OOM kill may have freed that
 * memory before the kernel reads the list; a thread other than the first may
 * execute another program; damage in another pool may have cut the list; a
 * sandbox may refuse set_robust_list.
 *
 * Only the member's thread ever tries to take the member's life lock.  The
 * kernel compares thread ids without their pid namespace: if another thread
 * were killed while it tried to take the lock, the kernel could mark the lock
 * although the member is alive.
 */
#ifndef ATMOST_RUNTIME_LIFE_H
#define ATMOST_RUNTIME_LIFE_H

#include "runtime/layout.h"

#include <sys/types.h>

/* Writes a text that describes the C library's mutex.  Two processes can share
 * life locks only if this function gives both the same text. */
void life_abi(char *text, size_t size);

/*
 * Takes the lock for this thread.  The caller ensures that no other thread
 * changes the record at the same time, and that no living thread holds the
 * lock.  Returns false if the kernel keeps no robust list for this thread, and
 * so will never mark the lock.
 */
bool life_begin(struct life *life);

/*
 * Releases the lock; to be called by the thread that took it.  Returns false if
 * the lock is damaged and was not released.  The lock is then still in the
 * thread's robust list, so its memory must never be used for anything else.
 */
bool life_end(struct life *life);

/* Returns the id of the thread that holds the lock, or 0 if no thread holds it
 * or its owner has died. */
pid_t life_owner(const struct life *life);

/*
 * Sets *watched to the futex that changes when the owner dies.  The kernel then
 * wakes at least one of the futex's sleepers.  Returns false if the lock has no
 * living owner.
 */
bool life_watch(struct life *life, struct watched_futex *watched);

#endif
