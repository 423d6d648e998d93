/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Joining and parting.
 *
 * A member is in two lists of its process: of its object, whose end is its
 * end, and of its thread, likewise.  One lock guards them all, so that a thread
 * may end while its object is closed; nobody takes it to enter or leave.
 *
 * In a forked child the members of the parent are in the list of their object
 * only: of their threads there is nothing left, and new ones may be where they
 * were.
 */
#define _GNU_SOURCE

#include "runtime/member.h"

#include "runtime/enter.h"
#include "runtime/entrust.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/outcome.h"
#include "runtime/recovery.h"
#include "runtime/self.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * When a thread ends the kernel looks at 2048 of its robust locks, the last ones
 * taken: some are left for others than members.
 */
enum { MOST_OF_THREAD = 2000 };

_Thread_local uint64_t member_mark;

static _Thread_local struct atmost_member *mine;
static _Thread_local unsigned lives; /* life locks this thread has */
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_mark; /* never used again, also not by a child */
static pthread_key_t at_thread_end;
static int watch_error;

static void lock_lists(void)
{
	pthread_mutex_lock(&lists);
}

static void unlock_lists(void)
{
	pthread_mutex_unlock(&lists);
}

/* A child is a copy of the thread that forked, but not the same member. */
static void start_as_child(void)
{
	unlock_lists();
	member_mark = 0;
	mine = NULL;
	lives = 0;
}

static void part_all(void *unused);

static void watch_threads_and_forks(void)
{
	watch_error = pthread_key_create(&at_thread_end, part_all);
	if (!watch_error)
		watch_error = pthread_atfork(lock_lists, unlock_lists,
					     start_as_child);
}

static int mark_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_threads_and_forks);
	if (watch_error || pthread_setspecific(at_thread_end, &lists))
		return error_is(ATMOST_ENOMEM);
	if (!member_mark) {
		lock_lists();
		member_mark = last_mark += 2;
		unlock_lists();
	}
	return 0;
}

static void enlist(struct atmost_member *me)
{
	struct atmost *object = me->object;

	lock_lists();
	me->next = object->members;
	me->link = &object->members;
	if (me->next)
		me->next->link = &me->next;
	object->members = me;
	me->next_of_thread = mine;
	me->link_of_thread = &mine;
	if (mine)
		mine->link_of_thread = &me->next_of_thread;
	mine = me;
	unlock_lists();
}

static bool is_forked(const struct atmost_member *me)
{
	return me->pid != getpid();
}

/* The end of a member, but for what others see.  The lists are locked. */
static void strike(struct atmost_member *me)
{
	*me->link = me->next;
	if (me->next)
		me->next->link = me->link;
	if (is_forked(me)) {
		free(me);
		return;
	}
	*me->link_of_thread = me->next_of_thread;
	if (me->next_of_thread)
		me->next_of_thread->link_of_thread = me->link_of_thread;
	free(me);
}

/* Who we are, for those who look; the life lock is ours. */
static void introduce(struct record *r)
{
	char name[sizeof(uint64_t) * 4];

	self_name(name, sizeof name);
	entrust_write_text(r->command, name);
	mem_write_relaxed(&r->pid, (uint64_t)getpid());
	mem_write_relaxed(&r->name_space, self_name_space());
	mem_write_relaxed(&r->start, self_start());
	mem_write_relaxed(&r->session, 0);
	for (unsigned i = 0; i < 4; i++)
		mem_write_relaxed(&r->label[i], 0);
	mem_write(&r->turn, mem_read(&r->turn) & ~(uint64_t)TURN_PHASE);
	mem_write(&r->state, ((mem_read(&r->state) & ~STATE_HEIRS) |
			      STATE_JOINED) + 2);
}

/* Takes an id that is vacant; members of them: there is none. */
static unsigned take_vacant(struct atmost *object, bool *damaged)
{
	for (unsigned id = 0; id < object->shape.n; id++) {
		struct record *r = &object->records[id];
		enum life_taken taken;

		if (mem_read(&r->state) & 1)
			continue;
		taken = life_take(&r->life);
		*damaged |= taken == LIFE_DAMAGED;
		if (taken != LIFE_FREE && taken != LIFE_DEAD)
			continue;
		if (!(mem_read(&r->state) & 1)) {
			if (object->kind == ATMOST_OBJECT)
				outcome_forget(object, id);
			introduce(r);
			return id;
		}
		/* Joined and died between our two looks. */
		life_release(&r->life);
		recovery_look(object);
	}
	return object->shape.n;
}

/*
 * The same, and if all there are have joined but one is being recovered, once
 * more when that is over: its recoverer may be a moment from vacating it.  For
 * some 20 ms: with many members one look may take as long.
 */
static unsigned take_some(struct atmost *object, bool *damaged)
{
	const struct timespec moment = { 0, 1000000 };
	const uint64_t began = self_clock();
	unsigned id;

	for (;;) {
		recovery_look(object);
		id = take_vacant(object, damaged);
		if (id < object->shape.n || !recovery_is_under_way(object) ||
		    self_clock() - began > 20)
			return id;
		nanosleep(&moment, NULL);
	}
}

static int take_id(struct atmost *object, unsigned *id)
{
	bool damaged = false;

	if (lives >= MOST_OF_THREAD)
		return error_say(ATMOST_EFULL,
				 "this thread has %d members, the most one can "
				 "have", MOST_OF_THREAD);
	*id = take_some(object, &damaged);
	if (*id < object->shape.n) {
		lives++;
		return 0;
	}
	if (damaged)
		return error_say(ATMOST_ECORRUPT, "a life lock is damaged");
	return error_say(ATMOST_EFULL,
			 "all %u members have joined: make the object with "
			 "more, or let one part", object->shape.n);
}

/* Whole lines: neighbours would slow each other down. */
static size_t whole_lines(size_t size)
{
	return (size + 63) / 64 * 64;
}

static struct atmost_member *allocate(const struct atmost *object)
{
	size_t scratch = 0;

	if (object->kind == ATMOST_OBJECT)
		scratch = object->algorithm->scratch(&object->shape) *
			  sizeof(uint64_t);
	return aligned_alloc(64, whole_lines(sizeof(struct atmost_member)) +
				 whole_lines(scratch));
}

static void begin(struct atmost_member *me, struct atmost *object, unsigned id)
{
	memset(me, 0, sizeof *me);
	me->object = object;
	me->pid = object->pid;
	me->shared = object_words(object);
	me->record = &object->records[id];
	me->process.id = id;
	me->process.shape = &object->shape;
	me->process.hint = object_slots(object) ? id % object_slots(object) : 0;
	me->process.badge = (mem_read(&me->record->state) & ~STATE_HEIRS) >>
			    1;
	me->thread = life_owner(&me->record->life);
	me->process.own = object_own(object, id);
	if (object->kind == ATMOST_OBJECT) {
		me->request.scratch = (uint64_t *)(void *)
			((char *)me + whole_lines(sizeof *me));
		me->process.request = &me->request;
	}
	/* Not what somebody else has left there. */
	enter_forget(me);
	enter_choose(me);
	me->where = me->mark = member_mark;
	enlist(me);
}

int member_join(struct atmost *object, struct atmost_member **member)
{
	struct atmost_member *me;
	unsigned id = 0;
	int error = object_arrive(object);

	if (!error)
		error = mark_thread();
	if (error)
		return error;
	me = allocate(object);
	if (!me)
		return error_is(ATMOST_ENOMEM);
	error = take_id(object, &id);
	if (error) {
		free(me);
		return error;
	}
	begin(me, object, id);
	*member = me;
	return 0;
}

int atmost_join(struct atmost *object, struct atmost_member **member)
{
	if (object->kind == ATMOST_OBJECT)
		return error_say(ATMOST_ESHAPE,
				 "this is a shared object: one joins what "
				 "atmost_object_open gave");
	return member_join(object, member);
}

/* The id may be had again: at once if we are the thread that has the life lock,
 * otherwise when that has ended. */
static void vacate(struct atmost_member *me, bool ours)
{
	struct record *r = me->record;

	mem_write(&r->state, mem_read(&r->state) &
			     ~(STATE_JOINED | STATE_HEIRS));
	if (!ours)
		return;
	life_release(&r->life);
	lives--;
}

void atmost_part(struct atmost_member *me)
{
	if (!me)
		return;
	if (!is_forked(me)) {
		if (me->mark != member_mark) {
			error_is(ATMOST_ETHREAD);
			return;
		}
		if (me->where == member_mark + 1)
			atmost_leave(me);
	}
	lock_lists();
	if (!is_forked(me))
		vacate(me, true);
	strike(me);
	unlock_lists();
}

/* Nobody closes the object of one that is inside: it leaves without the lock. */
static void part_all(void *unused)
{
	struct atmost_member *me;

	(void)unused;
	lock_lists();
	while ((me = mine) != NULL) {
		if (me->where == member_mark + 1) {
			unlock_lists();
			atmost_leave(me);
			lock_lists();
			continue;
		}
		vacate(me, true);
		strike(me);
	}
	unlock_lists();
}

bool members_close(struct atmost *object)
{
	struct atmost_member *me;
	bool all_ours = true;

	lock_lists();
	while ((me = object->members) != NULL) {
		if (is_forked(me) || me->mark == member_mark) {
			unlock_lists();
			atmost_part(me);
			lock_lists();
			continue;
		}
		vacate(me, false);
		strike(me);
		all_ours = false;
	}
	unlock_lists();
	return all_ours;
}
