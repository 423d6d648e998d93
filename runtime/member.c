/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Joining, parting, and closing.
 *
 * A member is in two lists of its process: of its pool, whose end is its end,
 * and of its thread, likewise.  The lists hold what this process keeps about it
 * (struct enrolled).  The member itself is memory that is wiped in every child:
 * there its `where` fits no thread, so that the hot path refuses it at no cost.
 *
 * A pool may be closed by another thread than the member's.  Only the thread
 * itself can give its life lock back: it does so when it joins next, or ends,
 * and the pool's memory and locks stay until then.
 */
#include "runtime/member.h"

#include "runtime/enter.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/outcome.h"
#include "runtime/process.h"
#include "runtime/record.h"
#include "runtime/recovery.h"
#include "runtime/self.h"
#include "runtime/watch.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * When a thread ends the kernel looks at 2048 of its robust locks, the last ones
 * taken: some are left for others than members.
 */
enum { MOST_OF_THREAD = 2000 };

/* 1 belongs to no thread: nor does 2, which leave would compare with. */
_Thread_local uint64_t member_mark = 1;
enum { FIRST_MARK = 4 };

static _Thread_local struct enrolled *mine;
static _Thread_local unsigned lives;     /* life locks this thread has */
static _Thread_local uint64_t marked_in; /* which generation of the process */
static uint64_t last_mark = FIRST_MARK - 2;

static void part_all(void *unused);

static pthread_key_t at_thread_end;
static int key_error;

static void make_key(void)
{
	key_error = pthread_key_create(&at_thread_end, part_all);
}

/* One reason less to keep a pool that was closed.  The lists are locked. */
static void let_go(struct atmost *object)
{
	if (--object->left > 0 || object->stuck)
		return;
	object_strike(object);
	mem_forget(object->segment.base);
	segment_close(&object->segment);
	pthread_mutex_destroy(&object->lock);
	free(object);
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

static bool is_forked(const struct enrolled *e)
{
	return e->generation != process_generation();
}

/* This thread gives its life lock back.  False: it is damaged, and stays in the
 * thread's list: nobody may use its memory again. */
static bool end_life(struct enrolled *e)
{
	bool ended = life_end(&e->record->life);

	lives--;
	if (ended)
		object_release(e->object, LOCK_MEMBER + (long)e->id);
	return ended;
}

/* Members of this thread whose pools were closed by others.  Lists locked. */
static void release_closed(void)
{
	struct enrolled *e, *next;

	for (e = mine; e; e = next) {
		struct atmost *object = e->object;

		next = e->next_of_thread;
		if (e->member || e->busy)
			continue;
		strike_from_thread(e);
		if (!end_life(e))
			object->stuck = true;
		free(e);
		let_go(object);
	}
}

/* A child is a copy of the thread that forked, but not the same member. */
static void forget_parent(uint64_t generation)
{
	if (marked_in == generation)
		return;
	marked_in = generation;
	member_mark = 1;
	mine = NULL;
	lives = 0;
}

static int mark_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct quiet before;

	pthread_once(&once, make_key);
	if (key_error || pthread_setspecific(at_thread_end, &last_mark))
		return error_is(ATMOST_ENOMEM);
	forget_parent(process_generation());
	object_lock_lists(&before);
	if (member_mark == 1)
		member_mark = last_mark += 2;
	release_closed();
	object_unlock_lists(&before);
	return 0;
}

static void enlist(struct enrolled *e)
{
	struct atmost *object = e->object;
	struct quiet before;

	object_lock_lists(&before);
	e->next = object->members;
	e->link = &object->members;
	if (e->next)
		e->next->link = &e->next;
	object->members = e;
	e->next_of_thread = mine;
	e->link_of_thread = &mine;
	if (mine)
		mine->link_of_thread = &e->next_of_thread;
	mine = e;
	object_unlock_lists(&before);
}

/* In a child the member is wiped: its address still leads to what was kept. */
struct enrolled *member_book(struct atmost_member *me)
{
	return me->book ? me->book : object_find_enrolled(me);
}

/* The end of a member, but for what others see.  The lists are locked. */
static void strike(struct enrolled *e)
{
	if (!is_forked(e))
		strike_from_thread(e);
	process_free(e->member, e->size);
	e->member = NULL;
	e->busy = false;
	if (e->stuck)
		return; /* its id is not to be had in this process */
	strike_from_pool(e);
	free(e);
}

/* Joining. */

/* What others shall see.  The record is ours. */
static void introduce(struct record *r, bool watched)
{
	struct identity self;

	identity_of_self(&self);
	record_write_identity(&r->process, &self);
	record_write_text(r->command, self_name());
	record_write_text(r->label, "");
	mem_write_relaxed(&r->thread, (uint64_t)syscall(SYS_gettid));
	mem_write_relaxed(&r->seen, 0);
	mem_write_relaxed(&r->session, 0);
	mem_write(&r->turn, mem_read(&r->turn) & ~(uint64_t)TURN_PHASE);
	mem_write(&r->state,
		  (((mem_read(&r->state) & ~STATE_FLAGS) | STATE_JOINED) + 2) |
			  (watched ? 0 : STATE_UNWATCHED));
}

static void vacate(struct record *r)
{
	mem_write(&r->state,
		  mem_read(&r->state) & ~(STATE_JOINED | STATE_FLAGS));
}

/*
 *	a process that joins            a process that removes the pool
 *	J1  takes the member's lock     R1  takes LOCK_REMOVE
 *	J2  says that it has joined     R2  says that the pool is removed
 *	J3  is the pool removed?        R3  has anybody joined?
 *
 * J2 and R2 come before J3 and R3: one of the two sees the other.
 */
static int take(struct atmost *object, unsigned id)
{
	struct record *r = object_record(object, id);
	int error;

	/* The file lock does not exclude threads of this process. */
	if (object_has_enrolled(object, id))
		return ATMOST_EBUSY;
	error = object_take(object, LOCK_MEMBER + (long)id);
	if (error)
		return error;
	if (record_is_joined(r)) { /* meanwhile, or by a thread of ours */
		const struct identity process = record_read_identity(
			&r->process);

		if (!identity_is_self(&process))
			object_release(object, LOCK_MEMBER + (long)id);
		return ATMOST_EBUSY;
	}
	if (object->kind == ATMOST_OBJECT)
		outcome_forget(object, id);
	introduce(r, life_begin(&r->life));
	if (mem_read(&object->header->removed) != REMOVED)
		return 0;
	vacate(r);
	life_end(&r->life);
	object_release(object, LOCK_MEMBER + (long)id);
	return error_say(ATMOST_ENOTFOUND, "the pool %s has been removed",
			 object->segment.name);
}

/* Takes an id that is vacant; ATMOST_EFULL: there is none. */
static int take_vacant(struct atmost *object, unsigned *taken)
{
	for (unsigned id = 0; id < object->shape.n; id++) {
		struct quiet before;
		int error;

		if (id < object_used(object) &&
		    record_is_joined(object_record(object, id)))
			continue;
		object_lock(object, &before);
		error = object_make_room(object, id);
		if (!error)
			error = take(object, id);
		object_unlock(object, &before);
		if (error == ATMOST_EBUSY)
			continue;
		*taken = id;
		return error;
	}
	return ATMOST_EFULL;
}

/*
 * The same, and if all ids are taken, but a member is dying or being recovered,
 * again when that is over.
 */
static int take_some(struct atmost *object, unsigned *id)
{
	enum { PATIENCE = 1000 }; /* 2^20 ns, about a second */
	const struct timespec moment = { 0, 1000000 };
	const uint64_t began = self_clock();
	int error;

	recovery_look(object, NULL);
	for (;;) {
		error = take_vacant(object, id);
		if (error != ATMOST_EFULL)
			return error;
		if (recovery_look_at_all(object) > 0)
			continue;
		if (!recovery_is_under_way(object) ||
		    self_clock() - began > PATIENCE)
			return error;
		nanosleep(&moment, NULL);
	}
}

static int take_id(struct atmost *object, unsigned *id)
{
	int error;

	if (lives >= MOST_OF_THREAD)
		return error_say(ATMOST_EFULL,
				 "this thread has %d members, the most one can "
				 "have",
				 MOST_OF_THREAD);
	error = take_some(object, id);
	if (!error)
		lives++;
	if (error != ATMOST_EFULL)
		return error;
	return error_say(ATMOST_EFULL,
			 "all %u members have joined: make the pool with "
			 "more, or let one part",
			 object->shape.n);
}

/* Whole lines: neighbours would slow each other down. */
static size_t whole_lines(size_t size)
{
	return (size + 63) / 64 * 64;
}

static struct enrolled *allocate(struct atmost *object)
{
	struct enrolled *e = calloc(1, sizeof *e);
	size_t scratch = 0;

	if (!e)
		return NULL;
	if (object->kind == ATMOST_OBJECT)
		scratch = object->algorithm->object.scratch(&object->shape) *
			  sizeof(uint64_t);
	e->size = whole_lines(sizeof(struct atmost_member)) + scratch;
	e->member = process_allocate(e->size);
	if (e->member)
		return e;
	free(e);
	return NULL;
}

static void begin(struct enrolled *e, struct atmost *object, unsigned id)
{
	struct atmost_member *me = e->member;

	e->object = object;
	e->id = id;
	e->record = object_record(object, id);
	e->badge = record_badge(mem_read(&e->record->state));
	e->generation = object->generation;
	e->mark = member_mark;
	e->pid = getpid();
	me->object = object;
	me->book = e;
	me->shared = object_words(object);
	me->record = e->record;
	me->process.id = id;
	me->process.shape = &object->shape;
	me->process.hint = object_slots(object) ? id % object_slots(object) : 0;
	me->process.badge = e->badge;
	me->process.own = object_own(object, id);
	if (object->kind == ATMOST_OBJECT) {
		me->request.scratch = (uint64_t *)(void *)((char *)me +
							   whole_lines(
								   sizeof *me));
		me->process.request = &me->request;
	}
	/* Not what an earlier member has left there. */
	enter_forget(me);
	enter_choose(me);
	me->where = member_mark;
	enlist(e);
}

static int join(struct atmost *object, struct atmost_member **member)
{
	struct enrolled *e;
	unsigned id = 0;
	int error = object_arrive(object);

	if (!error)
		error = mark_thread();
	if (error)
		return error;
	e = allocate(object);
	if (!e)
		return error_is(ATMOST_ENOMEM);
	error = take_id(object, &id);
	if (error) {
		process_free(e->member, e->size);
		free(e);
		return error;
	}
	begin(e, object, id);
	*member = e->member;
	return 0;
}

int member_join(struct atmost *object, struct atmost_member **member)
{
	int cancel = quiet_refuse_cancel();
	int error = join(object, member);

	quiet_allow_cancel(cancel);
	return error;
}

int atmost_join(struct atmost *object, struct atmost_member **member)
{
	if (object->kind == ATMOST_OBJECT)
		return error_say(ATMOST_ESHAPE,
				 "this is a shared object: its members join "
				 "what atmost_object_open gave");
	return member_join(object, member);
}

/* Parting. */

/* The id may be had again, as soon as its life lock is free. */
static void give_id_back(struct enrolled *e)
{
	struct recovery_exclusion exclusion;

	if (!recovery_exclude(e->object, e->id, e->badge, &exclusion))
		return; /* it was recovered, and is vacant */
	vacate(e->record);
	recovery_allow(e->object, e->id, &exclusion);
}

/* Of this thread, and outside; or `kept` by the process it is entrusted to. */
static void part(struct enrolled *e, bool kept)
{
	struct quiet before;
	bool ended;

	if (!kept)
		give_id_back(e);
	object_lock(e->object, &before);
	ended = end_life(e);
	object_unlock(e->object, &before);
	object_lock_lists(&before);
	e->stuck = !ended;
	e->object->stuck |= e->stuck;
	strike(e);
	object_unlock_lists(&before);
}

static void strike_forked(struct enrolled *e)
{
	struct quiet before;

	object_lock_lists(&before);
	strike(e);
	object_unlock_lists(&before);
}

void atmost_part(struct atmost_member *me)
{
	struct enrolled *e = me ? member_book(me) : NULL;
	int cancel = quiet_refuse_cancel();

	if (e && is_forked(e)) {
		strike_forked(e);
	} else if (e && e->mark != member_mark) {
		error_is(ATMOST_ETHREAD);
	} else if (e) {
		if (me->where == member_mark + 1)
			atmost_leave(me);
		part(e, false);
	}
	quiet_allow_cancel(cancel);
}

/*
 * A thread ends with a member that may be inside, waiting, or anywhere in a call
 * that a signal handler has left by pthread_exit: it is undone as if it were
 * dead.  An algorithm that cannot do that leaves, if the member is inside.  A
 * shared object's member that is outside has nothing, but an outcome that its
 * end must not tell.
 */
static void end(struct enrolled *e)
{
	struct atmost_member *me = e->member;
	const bool inside = me->where == member_mark + 1;

	watch_after_sleep(&me->watch);
	if (mem_read(&e->record->state) & STATE_ENTRUSTED) {
		part(e, true); /* another process keeps it */
		return;
	}
	if ((object_is_pool(e->object) || inside) &&
	    !recovery_of_own(e->object, e->id) && inside)
		atmost_leave(me);
	part(e, false);
}

/* The next of this thread that nobody closes; it is ours to end. */
static struct enrolled *claim_own(void)
{
	struct enrolled *e;
	struct quiet before;

	object_lock_lists(&before);
	release_closed();
	for (e = mine; e && e->busy; e = e->next_of_thread)
		;
	if (e)
		e->busy = true;
	object_unlock_lists(&before);
	return e;
}

static void part_all(void *unused)
{
	struct enrolled *e;

	(void)unused;
	if (marked_in != process_generation())
		return;
	while (mine) {
		e = claim_own();
		if (e)
			end(e);
		else
			sched_yield(); /* a pool of ours is being closed */
	}
}

/* Closing. */

/*
 * A member of another thread: its id is given back, its memory too, and the
 * thread's part of it stays until that thread ends or joins again.
 */
static void leave_to_thread(struct enrolled *e)
{
	struct quiet before;

	give_id_back(e);
	object_lock_lists(&before);
	strike_from_pool(e);
	process_free(e->member, e->size);
	e->member = NULL;
	e->busy = false;
	e->object->left++;
	object_unlock_lists(&before);
}

/* The next of the pool whose thread does not end just now; it is ours to end.
 * *more: there are others. */
static struct enrolled *claim_of(struct atmost *object, bool *more)
{
	struct enrolled *e;
	struct quiet before;

	*more = false;
	object_lock_lists(&before);
	for (e = object->members; e && (e->busy || e->stuck); e = e->next)
		*more |= e->busy;
	if (e)
		*more = e->busy = true;
	object_unlock_lists(&before);
	return e;
}

static void close_members(struct atmost *object)
{
	struct enrolled *e;
	bool more;

	while ((e = claim_of(object, &more)) != NULL || more) {
		if (!e)
			sched_yield();
		else if (is_forked(e) || e->mark == member_mark)
			atmost_part(e->member);
		else
			leave_to_thread(e);
	}
}

void atmost_close(struct atmost *object)
{
	int cancel = quiet_refuse_cancel();
	struct quiet before;

	if (object) {
		object->left++; /* we are here */
		close_members(object);
		object_lock_lists(&before);
		let_go(object);
		object_unlock_lists(&before);
	}
	quiet_allow_cancel(cancel);
}
