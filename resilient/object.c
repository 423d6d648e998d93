/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates, opens, joins and reads shared objects, and asks for outcomes. */
#include "resilient/resilient.h"

#include "runtime/create.h"
#include "runtime/error.h"
#include "runtime/join.h"
#include "runtime/machine.h"
#include "runtime/open.h"
#include "runtime/outcome.h"
#include "runtime/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int atmost_object_create(struct atmost_object **object,
			 const struct atmost_object_shape *wanted)
{
	struct object_wish wish;
	struct atmost *pool;
	int error = object_shape_read(wanted, &wish);

	if (error)
		return error;
	error = create_pool(&pool, &wish.shape, &wish.type);
	object_shape_done(&wish);
	if (!error)
		*object = (struct atmost_object *)(void *)pool;
	return error;
}

int atmost_object_open(struct atmost_object **object, const char *name,
		       const struct atmost_object_shape *wanted)
{
	struct object_wish wish;
	struct atmost *pool;
	int error = object_shape_read(wanted, &wish);

	if (error)
		return error;
	error = open_pool(&pool, name, &wish.shape, &wish.type);
	object_shape_done(&wish);
	if (!error)
		*object = (struct atmost_object *)(void *)pool;
	return error;
}

void atmost_object_close(struct atmost_object *object)
{
	atmost_close(pool_of(object));
}

int atmost_object_join(struct atmost_object *object,
		       struct atmost_object_member **member)
{
	struct atmost_member *me;
	int error = join_pool(pool_of(object), &me);

	if (!error)
		*member = (struct atmost_object_member *)(void *)me;
	return error;
}

void atmost_object_part(struct atmost_object_member *member)
{
	atmost_part(member_of(member));
}

int atmost_object_status(struct atmost_object *object,
			 struct atmost_seat *seats, unsigned capacity,
			 struct atmost_totals *totals)
{
	return atmost_status(pool_of(object), seats, capacity, totals);
}

/* An attempt to read the state fails only if a member completes an operation
 * during the attempt. */
static int read_words(struct atmost *pool, uint64_t *words)
{
	enum { TRIES = 1000000 };
	bool again = true;

	for (unsigned i = 0; again && i < TRIES; i++)
		if (!pool->algorithm->object.read(pool_words(pool),
						  &pool->shape, words, &again))
			return error_is(ATMOST_ECORRUPT);
	if (again)
		return error_say(
			ATMOST_EBUSY,
			"other members changed the state during each of "
			"%d attempts to read it",
			TRIES);
	return 0;
}

int atmost_object_read(struct atmost_object *shared, void *state)
{
	struct atmost *pool = pool_of(shared);
	uint64_t few[64], *words = few;
	int error = pool_arrive(pool);

	if (error)
		return error;
	if (pool->type.in_words.state > sizeof few / sizeof *few)
		words = malloc(pool->type.in_words.state * sizeof *words);
	if (!words)
		return error_is(ATMOST_ENOMEM);
	error = read_words(pool, words);
	if (!error)
		memcpy(state, words, pool->type.size);
	if (words != few)
		free(words);
	return error;
}

static int tell(int error, uint64_t tag)
{
	if (error == ATMOST_ENOTFOUND)
		return error_say(error, "there is no outcome for tag %ju",
				 (uintmax_t)tag);
	if (error == ATMOST_EBUSY)
		return error_say(error,
				 "the member with tag %ju is alive, or has not "
				 "been recovered yet",
				 (uintmax_t)tag);
	return error ? error_is(error) : 0;
}

/* Recovers dead members first.  If there is no outcome yet, and a member is
 * dying or being recovered by another process, the caller waits for about a
 * second, as in atmost_join. */
static int outcome(struct atmost *pool, uint64_t tag, bool *happened,
		   uint64_t *result)
{
	const struct timespec moment = { 0, 1000000 };
	const uint64_t began = machine_clock();
	int error = pool_arrive(pool);

	if (error)
		return error;
	for (;;) {
		sweep_all(pool, NULL);
		error = tag ? outcome_take(pool, tag, happened, result)
			    : ATMOST_ENOTFOUND;
		if (error != ATMOST_EBUSY || !sweep_is_pending(pool) ||
		    machine_clock() - began > 1000)
			return tell(error, tag);
		nanosleep(&moment, NULL);
	}
}

int atmost_object_outcome(struct atmost_object *shared, uint64_t tag,
			  bool *happened, uint64_t *result)
{
	int cancel = quiet_refuse_cancel();
	int error = outcome(pool_of(shared), tag, happened, result);

	quiet_allow_cancel(cancel);
	return error;
}
