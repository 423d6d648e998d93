/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds out whether a member is dead, on the kernel's evidence.
 *
 * For each of its members a process holds a lock on a byte of the pool's file.
 * If the lock is free, the process was killed, has executed another program, or
 * has closed the descriptor.  For an entrusted member the life of the entrusted
 * process counts instead.  The library never concludes a death from elapsed
 * time.
 *
 * All members of a pool without a file belong to this process: such a member
 * dies only if its thread ends.
 */
#ifndef ATMOST_RUNTIME_DEATH_H
#define ATMOST_RUNTIME_DEATH_H

#include "runtime/pool.h"
#include "runtime/record.h"

enum death {
	DEATH_ALIVE,
	DEATH_UNLOCKED, /* alive, but the program has closed our descriptor */
	DEATH_DYING,    /* dead soon: its process is closing its files */
	DEATH_UNKNOWN,  /* entrusted to a process that we cannot look at */
	DEATH_DEAD
};

/* The data that the calling process needs in order to ask about members. */
struct death_look {
	struct atmost *pool;
	struct identity self;
	int fd; /* for looking at file locks; negative: none */
};

void death_look_begin(struct death_look *look, struct atmost *pool);

/*
 * Unless pidfd is NULL, sets *pidfd to a descriptor that becomes readable when
 * the process that keeps the member alive has ended, or to -1 if there is no
 * such descriptor.
 */
enum death death_of(const struct death_look *look, unsigned id, int *pidfd);

/*
 * Returns true if the member may be dead: its life lock is marked, a recoverer
 * has declared it dead, or it is entrusted, so that its death marks no lock.
 * Makes no system call.
 */
bool death_is_hinted(const struct record *r);

/* Returns true if every member that has joined is certainly dead. */
bool death_is_certain_of_all(struct atmost *pool);

#endif
