/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_MEMBER_H
#define ATMOST_RUNTIME_MEMBER_H

#include "runtime/enrolled.h"
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
	struct enrolled *book; /* NULL in a child: all of this is wiped there */
	uint64_t tag; /* of a shared object: of its last operation; 0: none */
	struct object_request request; /* its scratch is behind this struct */
	struct wait_watch watch; /* of a wait: its descriptors are closed also
				    if the thread ends in it */
};

/*
 * This thread's mark: even, and no other thread's of this process; 1 before it
 * joined anything.
 */
extern _Thread_local uint64_t member_mark
	__attribute__((tls_model("initial-exec")));

/* What this process keeps about the member, also of a child's parent; NULL:
 * nothing. */
struct enrolled *member_book(struct atmost_member *me);

/* atmost_join, for every kind. */
int member_join(struct atmost *object, struct atmost_member **member);

#endif
