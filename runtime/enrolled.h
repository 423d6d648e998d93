/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this process keeps about a member it has: struct atmost_member itself is
 * wiped in a child, this is not.
 */
#ifndef ATMOST_RUNTIME_ENROLLED_H
#define ATMOST_RUNTIME_ENROLLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct atmost;
struct atmost_member;
struct record;

struct enrolled {
	struct atmost *object;
	struct atmost_member *member;
	size_t size; /* of its memory */
	struct record *record;
	unsigned id;
	uint64_t badge;
	uint64_t generation; /* of the process that joined */
	uint64_t mark;       /* of the thread that did */
	pid_t pid;           /* of the process */
	bool stuck;          /* parted, but its life lock is damaged */
	bool busy;           /* its thread ends, or its pool is being closed:
				whichever came first sees to it */

	/* Of the same pool, and of the same thread: see member.c. */
	struct enrolled *next, **link;
	struct enrolled *next_of_thread, **link_of_thread;
};

#endif
