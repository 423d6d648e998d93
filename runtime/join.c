/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/join.h"

#include "runtime/enter.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/machine.h"
#include "runtime/outcome.h"
#include "runtime/part.h"
#include "runtime/process.h"
#include "runtime/record.h"
#include "runtime/remote_member.h"
#include "runtime/sweep.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/*
 * When a thread ends, the kernel marks only the 2048 robust locks that the
 * thread took last.  The library uses at most 2000 of these 2048 locks, and
 * leaves the other 48 to the program's own robust locks.
 */
enum { MOST_OF_THREAD = 2000 };

/*
 *	a process that joins            a process that removes the pool
 *	J1  takes the member's lock     R1  takes LOCK_REMOVE
 *	J2  writes that it has joined   R2  writes that the pool is removed
 *	J3  is the pool removed?        R3  has a member joined?
 *
 * J2 comes before J3, and R2 comes before R3.  So at least one of the two
 * processes sees what the other process wrote.
 */
static int take(struct atmost *pool, unsigned id)
{
	struct record *r = pool_record(pool, id);
	int error;

	/* The file lock does not exclude other threads of this process. */
	if (pool_has_enrolled(pool, id))
		return ATMOST_EBUSY;
	error = pool_take(pool, LOCK_MEMBER + (long)id);
	if (error)
		return error;
	/* Another process, or another thread of this process, has joined with
	 * this id meanwhile.  In the second case the file lock belongs to that
	 * thread and must stay. */
	if (record_is_joined(r)) {
		const struct identity process = record_read_identity(
			&r->process);

		if (!identity_is_self(&process))
			pool_release(pool, LOCK_MEMBER + (long)id);
		return ATMOST_EBUSY;
	}
	if (pool->kind == ATMOST_OBJECT)
		outcome_forget(pool, id);
	record_join(r, life_begin(&r->life));
	if (mem_read(&pool->header->removed) != REMOVED)
		return 0;
	record_vacate(r);
	life_end(&r->life);
	pool_release(pool, LOCK_MEMBER + (long)id);
	return error_say(ATMOST_ENOTFOUND, "the pool %s has been removed",
			 pool->segment.name);
}

/* Takes a vacant id; returns ATMOST_EFULL if no id is vacant. */
static int take_vacant(struct atmost *pool, unsigned *taken)
{
	for (unsigned id = 0; id < pool->shape.n; id++) {
		struct quiet before;
		int error;

		if (id < pool_used(pool) &&
		    record_is_joined(pool_record(pool, id)))
			continue;
		pool_lock(pool, &before);
		error = pool_make_room(pool, id);
		if (!error)
			error = take(pool, id);
		pool_unlock(pool, &before);
		if (error == ATMOST_EBUSY)
			continue;
		*taken = id;
		return error;
	}
	return ATMOST_EFULL;
}

/* Like take_vacant.  But if no id is vacant while a member is dying or being
 * recovered, the caller waits about a second for that member's id. */
static int take_or_wait(struct atmost *pool, unsigned *id)
{
	enum { PATIENCE = 1000 }; /* in units of 2^20 ns */
	const struct timespec moment = { 0, 1000000 };
	const uint64_t began = machine_clock();
	int error;

	sweep_hinted(pool, NULL);
	for (;;) {
		error = take_vacant(pool, id);
		if (error != ATMOST_EFULL)
			return error;
		if (sweep_all(pool, NULL) > 0)
			continue;
		if (!sweep_is_pending(pool) ||
		    machine_clock() - began > PATIENCE)
			return error;
		nanosleep(&moment, NULL);
	}
}

static int take_id(struct atmost *pool, unsigned *id)
{
	int error;

	if (member_lives() >= MOST_OF_THREAD)
		return error_say(ATMOST_EFULL,
				 "this thread has %d members, the most that a "
				 "thread can have",
				 MOST_OF_THREAD);
	error = take_or_wait(pool, id);
	if (error != ATMOST_EFULL)
		return error;
	return error_say(ATMOST_EFULL,
			 "all %u members have joined: make the pool with more "
			 "members, or let a member part",
			 pool->shape.n);
}

/* struct atmost_member fills whole cache lines, so that the scratch words after
 * it begin on a cache line of their own. */
static size_t whole_lines(size_t size)
{
	return (size + 63) / 64 * 64;
}

static struct enrolled *allocate(struct atmost *pool)
{
	struct enrolled *e = calloc(1, sizeof *e);
	size_t scratch = 0;

	if (!e)
		return NULL;
	if (pool->kind == ATMOST_OBJECT)
		scratch = pool->algorithm->object.scratch(&pool->shape) *
			  sizeof(uint64_t);
	e->size = whole_lines(sizeof(struct atmost_member)) + scratch;
	e->member = process_allocate(e->size);
	if (e->member)
		return e;
	free(e);
	return NULL;
}

static void begin(struct enrolled *e, struct atmost *pool, unsigned id)
{
	struct atmost_member *me = e->member;

	e->pool = pool;
	e->id = id;
	e->record = pool_record(pool, id);
	e->badge = record_badge(mem_read(&e->record->state));
	e->generation = pool->generation;
	e->mark = member_mark;
	e->pid = getpid();
	me->pool = pool;
	me->book = e;
	me->shared = pool_words(pool);
	me->record = e->record;
	me->process.id = id;
	me->process.shape = &pool->shape;
	me->process.hint = pool_slots(pool) ? id % pool_slots(pool) : 0;
	me->process.badge = e->badge;
	me->process.own = pool_own(pool, id);
	if (pool->kind == ATMOST_OBJECT) {
		me->request.scratch = (uint64_t *)(void *)((char *)me +
							   whole_lines(
								   sizeof *me));
		me->process.request = &me->request;
	}
	/* An earlier member with this id may have left values in the own
	 * words. */
	enter_forget(me);
	enter_choose(me);
	me->where = member_mark;
}

static int join_as(struct enrolled *e, struct atmost *pool)
{
	unsigned id = 0;
	int error;

	if (pool->calls)
		return remote_join(e, pool);
	error = take_id(pool, &id);
	if (!error)
		begin(e, pool, id);
	return error;
}

static int join(struct atmost *pool, struct atmost_member **member)
{
	struct enrolled *e;
	int error = pool_arrive(pool);

	if (!error)
		error = part_at_thread_end();
	if (error)
		return error;
	member_mark_thread();
	e = allocate(pool);
	if (!e)
		return error_is(ATMOST_ENOMEM);
	error = join_as(e, pool);
	if (error) {
		process_free(e->member, e->size);
		free(e);
		return error;
	}
	member_enlist(e);
	*member = e->member;
	return 0;
}

int join_pool(struct atmost *pool, struct atmost_member **member)
{
	int cancel = quiet_refuse_cancel();
	int error = join(pool, member);

	quiet_allow_cancel(cancel);
	return error;
}

int atmost_join(struct atmost *pool, struct atmost_member **member)
{
	if (pool->kind == ATMOST_OBJECT)
		return error_say(ATMOST_ESHAPE,
				 "this is a shared object: open it with "
				 "atmost_object_open, and join it with "
				 "atmost_object_join");
	return join_pool(pool, member);
}
