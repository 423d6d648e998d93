/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps the members of this process, and the lists that contain them.
 *
 * A member is in the list of its pool and in the list of its thread, because
 * the member ends when the pool is closed and when the thread ends.  The
 * entries of the lists are struct enrolled.  The kernel wipes struct
 * atmost_member in every child: there the member's `where` equals no thread's
 * mark, so the one comparison of the hot path refuses the member.
 *
 * A thread may close a pool while another thread has a member in it.  Only the
 * member's thread can release the member's life lock.  That thread does so when
 * it next joins a pool, or when it ends.  Until then the memory and the file
 * locks of the closed pool stay.
 */
#ifndef ATMOST_RUNTIME_MEMBER_H
#define ATMOST_RUNTIME_MEMBER_H

#include "runtime/pool.h"
#include "runtime/watch.h"

/* A passage without waiting touches only the fields before `pool`. */
struct atmost_member {
	/*
	 * The mark of the member's thread, plus 1 while the member is inside:
	 * one comparison decides whether the caller is allowed to enter, and
	 * another whether it is allowed to leave.
	 */
	uint64_t where;
	void *shared;
	bool (*doorway)(void *shared, struct process *self);
	int (*leave)(void *shared, struct process *self);
	struct record *record;

	struct process process;
	struct atmost *pool;
	struct enrolled *book; /* NULL in a child, which sees a wiped member */
	uint64_t tag; /* tag of the last operation on an object; 0: none */
	struct object_request request; /* its scratch words follow the
					  member */
	struct watch watch; /* for a wait; if the thread ends while it waits,
			       the library closes the descriptors in it */
};

/*
 * The mark of this thread is 1 until the thread joins a pool, and then an even
 * number that no other thread of this process has.
 */
extern _Thread_local uint64_t member_mark
	__attribute__((tls_model("initial-exec")));

/* Gives the thread a mark, if it has none, and calls member_release_closed. */
void member_mark_thread(void);

/* Returns how many life locks this thread holds. */
unsigned member_lives(void);

/* Returns the list of this thread's members, or NULL if the thread has none.
 * In a child of fork the list is empty. */
struct enrolled *member_of_thread(void);

/* Returns the entry that this process keeps about the member; in a child, the
 * entry that the parent kept.  Returns NULL if there is no such entry. */
struct enrolled *member_book(struct atmost_member *me);

/*
 * Returns true if an ancestor of this process joined, not this process itself.
 */
bool member_is_forked(const struct enrolled *e);

/* Adds a new member to the list of its pool and to the list of this thread,
 * which has just joined as that member. */
void member_enlist(struct enrolled *e);

/*
 * This thread releases the life lock of its member, and then the file lock.
 * Returns false if the life lock is damaged: it stays in the thread's robust
 * list, so its memory must never be used for anything else.
 */
bool member_end_life(struct enrolled *e);

/* The functions below require that the caller has locked the lists. */

/* Frees the member and takes it out of its lists. */
void member_strike(struct enrolled *e);

/* Frees a member of another thread and takes it out of its pool's list.  The
 * entry stays in the list of that thread, which will release the life lock. */
void member_leave_to_thread(struct enrolled *e);

/* Ends the members of this thread whose pools other threads have closed. */
void member_release_closed(void);

#endif
