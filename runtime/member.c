/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/member.h"

#include "runtime/enter.h"
#include "runtime/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local uint64_t member_mark;

/* A child is a copy of the thread that forked, but not the same member. */
static void forget_mark(void)
{
	member_mark = 0;
}

static int watch_error;

static void watch_forks(void)
{
	watch_error = pthread_atfork(NULL, NULL, forget_mark);
}

static int mark_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	if (watch_error)
		return error_is(ATMOST_ENOMEM);
	if (!member_mark)
		member_mark = 2 * (uint64_t)gettid();
	return 0;
}

static void begin(struct atmost_member *me, struct atmost *object, unsigned id)
{
	const struct layout *layout = &object->layout;
	void *own = object->memory + layout->own + id * layout->own_each;

	memset(me, 0, sizeof *me);
	me->object = object;
	me->pid = object->pid;
	me->shared = object->memory + layout->words;
	me->process.id = id;
	me->process.shape = &object->shape;
	me->process.session = 1;
	me->process.own = own;
	enter_choose(me);
	me->where = member_mark;
}

int atmost_join(struct atmost *object, struct atmost_member **member)
{
	struct atmost_member *me;
	unsigned id = 0;
	int error;

	if (object->pid != getpid())
		return error_is(ATMOST_EFORKED);
	error = mark_thread();
	if (error)
		return error;
	/* Whole lines: neighbours would slow each other down. */
	me = aligned_alloc(64, (sizeof *me + 63) / 64 * 64);
	if (!me)
		return error_is(ATMOST_ENOMEM);
	pthread_mutex_lock(&object->lock);
	while (id < object->shape.n && object->members[id])
		id++;
	if (id < object->shape.n) {
		object->members[id] = me;
		begin(me, object, id);
	}
	pthread_mutex_unlock(&object->lock);
	if (id == object->shape.n) {
		free(me);
		return error_say(ATMOST_EFULL,
				 "all %u members have joined: make the object "
				 "with more, or let one part", id);
	}
	*member = me;
	return 0;
}

void atmost_part(struct atmost_member *me)
{
	struct atmost *object;
	bool forked;

	if (!me)
		return;
	object = me->object;
	forked = me->pid != getpid();
	if (me->where & 1 && !forked)
		me->leave(me->shared, &me->process);
	/* In a child nobody is left who could unlock what was locked. */
	if (!forked)
		pthread_mutex_lock(&object->lock);
	object->members[me->process.id] = NULL;
	if (!forked)
		pthread_mutex_unlock(&object->lock);
	free(me);
}
