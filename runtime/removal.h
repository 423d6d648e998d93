/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Taking a file away that a pool is in, or putting another in its place.
 *
 * The remover says so in the header: from then on no process can join.  Then it
 * looks whether one has (member.c draws the race).  If it dies in between, the
 * next process that opens the pool ends what it began.
 */
#ifndef ATMOST_RUNTIME_REMOVAL_H
#define ATMOST_RUNTIME_REMOVAL_H

#include "runtime/object.h"

/* 0: ours alone, and marked.  ATMOST_ENOTFOUND: the name leads elsewhere by now;
 * ATMOST_EBUSY: another process has been at it for a second. */
int removal_begin(struct atmost *object);

/* It stays. */
void removal_cancel(struct atmost *object);

/* A remover has died: the file goes if all members are dead, and else stays. */
int removal_resume(struct atmost *object);

#endif
