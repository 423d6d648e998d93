/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/member.h"

#include "runtime/life.h"
#include "runtime/process.h"

#include <stdlib.h>

/* 1 is the mark of every thread that has not joined a pool.  Leaving compares
 * with mark + 1, so the mark of a thread that has joined a pool is neither 1
 * nor 2. */
_Thread_local uint64_t member_mark = 1;
enum { FIRST_MARK = 4 };

static _Thread_local struct enrolled *mine;
static _Thread_local unsigned lives;     /* life locks this thread holds */
static _Thread_local uint64_t marked_in; /* generation of the process in which
					    the thread got its mark */
static uint64_t last_mark = FIRST_MARK - 2;

/* The thread of a child is a copy of the thread that forked, but it has none of
 * that thread's members. */
static void forget_parent(void)
{
	const uint64_t generation = process_generation();

	if (marked_in == generation)
		return;
	marked_in = generation;
	member_mark = 1;
	mine = NULL;
	lives = 0;
}

void member_mark_thread(void)
{
	struct quiet before;

	forget_parent();
	pool_lock_lists(&before);
	if (member_mark == 1)
		member_mark = last_mark += 2;
	member_release_closed();
	pool_unlock_lists(&before);
}

unsigned member_lives(void)
{
	return lives;
}

struct enrolled *member_of_thread(void)
{
	return marked_in == process_generation() ? mine : NULL;
}

/* In a child the kernel has wiped the member, but the address of the member
 * still leads to the entry that the parent kept about it. */
struct enrolled *member_book(struct atmost_member *me)
{
	return me->book ? me->book : pool_find_enrolled(me);
}

bool member_is_forked(const struct enrolled *e)
{
	return e->generation != process_generation();
}

void member_enlist(struct enrolled *e)
{
	struct atmost *pool = e->pool;
	struct quiet before;

	lives += e->record != NULL;
	pool_lock_lists(&before);
	e->next = pool->members;
	e->link = &pool->members;
	if (e->next)
		e->next->link = &e->next;
	pool->members = e;
	e->next_of_thread = mine;
	e->link_of_thread = &mine;
	if (mine)
		mine->link_of_thread = &e->next_of_thread;
	mine = e;
	pool_unlock_lists(&before);
}

bool member_end_life(struct enrolled *e)
{
	bool ended = life_end(&e->record->life);

	lives--;
	if (ended)
		pool_release(e->pool, LOCK_MEMBER + (long)e->id);
	return ended;
}

static void strike_from_thread(struct enrolled *e)
{
	*e->link_of_thread = e->next_of_thread;
	if (e->next_of_thread)
		e->next_of_thread->link_of_thread = e->link_of_thread;
}

static void strike_from_pool(struct enrolled *e)
{
	*e->link = e->next;
	if (e->next)
		e->next->link = e->link;
}

static void free_member(struct enrolled *e)
{
	process_free(e->member, e->size);
	e->member = NULL;
	e->busy = false;
}

void member_strike(struct enrolled *e)
{
	if (!member_is_forked(e))
		strike_from_thread(e);
	free_member(e);
	if (e->stuck)
		return; /* this process never uses the id again */
	strike_from_pool(e);
	free(e);
}

void member_leave_to_thread(struct enrolled *e)
{
	strike_from_pool(e);
	free_member(e);
	e->pool->references++;
}

void member_release_closed(void)
{
	struct enrolled *e, *next;

	for (e = mine; e; e = next) {
		struct atmost *pool = e->pool;

		next = e->next_of_thread;
		if (e->member || e->busy)
			continue;
		strike_from_thread(e);
		if (e->record && !member_end_life(e))
			pool->stuck = true;
		free(e);
		pool_unreference(pool);
	}
}
