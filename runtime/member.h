/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The members of this process, and the lists they are in.
 *
 * A member is in the list of its pool and in the list of its thread, because it
 * ends with either of them.  The lists hold struct enrolled.  The kernel wipes
 * struct atmost_member in every child: there its `where` equals no thread's
 * mark, and the one comparison of the hot path refuses the member.
 *
 * A thread may close a pool while another thread has a member in it.  Only the
 * member's thread can release the member's life lock.  That thread does so when
 * it joins next, or ends; the pool's memory and file locks stay until then.
 */
#ifndef ATMOST_RUNTIME_MEMBER_H
#define ATMOST_RUNTIME_MEMBER_H

#include "runtime/pool.h"
#include "runtime/watch.h"

/* A passage without waiting touches only what comes before `pool`. */
struct atmost_member {
	/*
	 * The mark of the member's thread, plus 1 while the member is inside:
	 * one comparison decides whether the caller may enter, and another
	 * whether it may leave.
	 */
	uint64_t where;
	void *shared;
	bool (*doorway)(void *shared, struct process *self);
	int (*leave)(void *shared, struct process *self);
	struct record *record;

	struct process process;
	struct atmost *pool;
	struct enrolled *book; /* NULL in a child: all of this is wiped there */
	uint64_t tag; /* of the last operation on a shared object; 0: none */
	struct object_request request; /* its scratch is behind this struct */
	struct watch watch; /* of a wait; its descriptors are closed even if the
			       thread ends in the wait */
};

/*
 * This thread's mark: even, and different from the mark of every other thread
 * of this process; 1 until the thread joins a pool.
 */
extern _Thread_local uint64_t member_mark
	__attribute__((tls_model("initial-exec")));

/* Gives the thread a mark, if it has none, and calls member_release_closed. */
void member_mark_thread(void);

/* How many life locks this thread holds. */
unsigned member_lives(void);

/* The list of this thread's members; NULL: the thread has none.  In a child of
 * fork the list is empty. */
struct enrolled *member_of_thread(void);

/* Returns the entry that this process keeps about the member; in a child, the
 * entry that the parent kept.  Returns NULL if there is no such entry. */
struct enrolled *member_book(struct atmost_member *me);

/* True: an ancestor of this process joined, not this process. */
bool member_is_forked(const struct enrolled *e);

/* Adds a member to both lists.  This thread has just joined as that member. */
void member_enlist(struct enrolled *e);

/*
 * This thread releases the life lock of its member, and then the file lock.
 * False: the life lock is damaged and stays in the thread's robust list, so its
 * memory must never be used for anything else.
 */
bool member_end_life(struct enrolled *e);

/* The following are called with the lists locked. */

/* Frees the member and takes it out of its lists. */
void member_strike(struct enrolled *e);

/* The same for a member of another thread; that thread will release the life
 * lock. */
void member_leave_to_thread(struct enrolled *e);

/* Ends the members of this thread whose pools other threads have closed. */
void member_release_closed(void);

#endif
