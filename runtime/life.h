/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The life lock: how a sleeper hears of a death at once.
 *
 * Each member's record has one, a robust mutex shared between processes.  The
 * joining thread takes it and keeps it until it parts.  When the thread ends, or
 * its process is killed, the kernel marks the lock and wakes a sleeper that
 * watches it.
 *
 * The mark is a hint, and never the proof of a death.  The kernel finds the
 * lock by a list in the memory of the dead process, where it may fail: memory
 * that was taken away early (an OOM kill), a thread other than the first that
 * executes another program, a damaged pool among those the thread has joined,
 * a sandbox without set_robust_list.  And a mark comes before the process has
 * closed its files.  runtime/death.h has the proof.
 *
 * Nobody but the member's thread ever takes a life lock: the kernel compares
 * thread ids without their pid namespace, and another one that is killed while
 * it tries could mark the lock of the living.
 */
#ifndef ATMOST_RUNTIME_LIFE_H
#define ATMOST_RUNTIME_LIFE_H

#include "runtime/layout.h"

#include <sys/types.h>

/* What the locks are made by; differs where they could not be shared. */
void life_abi(char *text, size_t size);

/*
 * Takes the lock for this thread.  The caller is alone with the record, and no
 * living thread has the lock.  False: the kernel keeps no list of this thread's
 * locks, and will mark nothing.
 */
bool life_begin(struct life *life);

/*
 * By the thread that took it.  False: the lock is damaged, and was left alone.
 * Then it stays in the thread's list: its memory must stay where it is, and
 * nobody else's.
 */
bool life_end(struct life *life);

/* The thread that has it; 0: none, or a dead one. */
pid_t life_owner(struct life *life);

/*
 * Adds the lock to what a sleeper watches: its owner's death will end the
 * sleep, of one sleeper at least.  False: there is no living owner.
 */
bool life_watch(struct life *life, struct wait_watch *watch);

#endif
