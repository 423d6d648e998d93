/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_MEMBER_H
#define ATMOST_RUNTIME_MEMBER_H

#include "runtime/object.h"

/* The first four are all that a passage without waiting reads. */
struct atmost_member {
	/*
	 * The mark of the thread it belongs to, plus 1 while it is inside:
	 * one comparison tells that the caller may enter, one that it may
	 * leave.
	 */
	uint64_t where;
	void *shared;
	int (*enter)(void *shared, struct process *self);
	void (*leave)(void *shared, struct process *self);

	struct process process;
	struct atmost *object;
	pid_t pid; /* the process it joined in */
};

/*
 * This thread's mark: even, and no other thread's of this process; 0 before it
 * joined anything, and in a forked child.
 */
extern _Thread_local uint64_t member_mark
	__attribute__((tls_model("initial-exec")));

#endif
