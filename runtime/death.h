/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a member is dead, by the kernel's word.
 *
 * A process holds a lock on a byte of the pool's file for each member it has.
 * When that is free the process has closed its files: it was killed, or executes
 * another program.  A member that is entrusted to a process lives as long as
 * that one instead.  Nothing is ever concluded from time that passes.
 *
 * In a pool without a file all members are of this process: only their threads
 * can end.
 */
#ifndef ATMOST_RUNTIME_DEATH_H
#define ATMOST_RUNTIME_DEATH_H

#include "runtime/object.h"
#include "runtime/record.h"

enum death {
	DEATH_ALIVE,
	DEATH_UNLOCKED, /* alive, but the program has closed our descriptor */
	DEATH_DYING,    /* will be dead soon: not all its files are closed */
	DEATH_UNKNOWN,  /* entrusted to a process that we cannot look at */
	DEATH_DEAD
};

/* A look at several members. */
struct death_look {
	struct atmost *object;
	struct identity self;
	int fd; /* to look at file locks; negative: none */
};

void death_look_begin(struct death_look *look, struct atmost *object);

/*
 * *pidfd, unless NULL: a descriptor that becomes readable when the process that
 * keeps the member alive has ended, if there can be one; else -1.
 */
enum death death_of(const struct death_look *look, unsigned id, int *pidfd);

/* No system call: something hints at the member's death, or would not. */
bool death_is_hinted(struct record *r);

/* All that have joined are dead, for certain. */
bool death_is_everybodys(struct atmost *object);

#endif
