/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_MEMBER_H
#define ATMOST_RUNTIME_MEMBER_H

#include "runtime/object.h"

/* What comes before `object` is all that a passage without waiting touches. */
struct atmost_member {
	/*
	 * The mark of the thread it belongs to, plus 1 while it is inside:
	 * one comparison tells that the caller may enter, one that it may
	 * leave.
	 */
	uint64_t where;
	void *shared;
	bool (*doorway)(void *shared, struct process *self);
	int (*leave)(void *shared, struct process *self);
	struct record *record;

	struct process process;
	struct atmost *object;
	pid_t pid;     /* the process it joined in */
	pid_t thread;  /* the thread, as its life lock names it */
	uint64_t mark; /* of the thread it belongs to, whatever became of it */
	uint64_t tag;  /* of an object: of its last operation; 0: none */
	struct object_request request; /* its scratch is behind this struct */

	/* Of the same object, and of the same thread: see member.c. */
	struct atmost_member *next, **link;
	struct atmost_member *next_of_thread, **link_of_thread;
};

/*
 * This thread's mark: even, and no other thread's of this process; 0 before it
 * joined anything, and in a forked child.
 */
extern _Thread_local uint64_t member_mark
	__attribute__((tls_model("initial-exec")));

/* atmost_join, for every kind. */
int member_join(struct atmost *object, struct atmost_member **member);

/* The end of all members this process has of an object.  False: some are of
 * other threads, which still have their life locks. */
bool members_close(struct atmost *object);

/* Notes that somebody is seen where its turn says, unless it was noted; and
 * what was noted last, in units of 2^20 ns. */
void member_stamp(struct record *record, uint64_t turn);
uint64_t member_since(struct record *record);

#endif
