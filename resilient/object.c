/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared objects: making, joining and looking at them.
 */
#include "resilient/resilient.h"

#include "runtime/error.h"
#include "runtime/open.h"
#include "runtime/outcome.h"
#include "runtime/recovery.h"
#include "runtime/self.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int atmost_object_create(struct atmost_object **object,
			 const struct atmost_object_shape *wanted)
{
	struct atmost_shape shape;
	struct full_name name;
	struct atmost *made;
	struct form form;
	int error = shape_read(wanted, &shape, &name, &form);

	if (error)
		return error;
	error = object_create(&made, &shape, &form);
	shape_done(&form);
	if (!error)
		*object = (struct atmost_object *)(void *)made;
	return error;
}

int atmost_object_open(struct atmost_object **object, const char *name,
		       const struct atmost_object_shape *wanted)
{
	struct atmost_shape shape;
	struct full_name algorithm;
	struct atmost *made;
	struct form form;
	int error = shape_read(wanted, &shape, &algorithm, &form);

	if (error)
		return error;
	error = object_open(&made, name, &shape, &form);
	shape_done(&form);
	if (!error)
		*object = (struct atmost_object *)(void *)made;
	return error;
}

void atmost_object_close(struct atmost_object *object)
{
	atmost_close(below(object));
}

int atmost_object_join(struct atmost_object *object,
		       struct atmost_object_member **member)
{
	struct atmost_member *me;
	int error = member_join(below(object), &me);

	if (!error)
		*member = (struct atmost_object_member *)(void *)me;
	return error;
}

void atmost_object_part(struct atmost_object_member *member)
{
	atmost_part(member_below(member));
}

int atmost_object_status(struct atmost_object *object,
			 struct atmost_seat *seats, unsigned capacity,
			 struct atmost_totals *totals)
{
	return atmost_status(below(object), seats, capacity, totals);
}

/* Each repetition is paid for by somebody's operation. */
static int read_words(struct atmost *object, uint64_t *words)
{
	enum { TRIES = 1000000 };
	bool again = true;

	for (unsigned i = 0; again && i < TRIES; i++)
		if (!object->algorithm->object.read(object_words(object),
						    &object->shape, words,
						    &again))
			return error_is(ATMOST_ECORRUPT);
	if (again)
		return error_say(ATMOST_EBUSY,
				 "others changed the state %d times while it "
				 "was read",
				 TRIES);
	return 0;
}

int atmost_object_read(struct atmost_object *shared, void *state)
{
	struct atmost *object = below(shared);
	uint64_t few[64], *words = few;
	int error = object_arrive(object);

	if (error)
		return error;
	if (object->form.type.state > sizeof few / sizeof *few)
		words = malloc(object->form.type.state * sizeof *words);
	if (!words)
		return error_is(ATMOST_ENOMEM);
	error = read_words(object, words);
	if (!error)
		memcpy(state, words, object->form.size);
	if (words != few)
		free(words);
	return error;
}

static int tell(int error, uint64_t tag)
{
	if (error == ATMOST_ENOTFOUND)
		return error_say(error,
				 "nobody is known to have died at an "
				 "operation of tag %ju",
				 (uintmax_t)tag);
	if (error == ATMOST_EBUSY)
		return error_say(error,
				 "who has tag %ju lives, or has not yet "
				 "been recovered",
				 (uintmax_t)tag);
	return error ? error_is(error) : 0;
}

/* The dead are looked for first; and if a recoverer is at that just now, it is
 * waited for as in a join. */
static int outcome(struct atmost *object, uint64_t tag, bool *happened,
		   uint64_t *result)
{
	const struct timespec moment = { 0, 1000000 };
	const uint64_t began = self_clock();
	int error = object_arrive(object);

	if (error)
		return error;
	for (;;) {
		recovery_look_at_all(object);
		error = tag ? outcome_take(object, tag, happened, result)
			    : ATMOST_ENOTFOUND;
		if (error != ATMOST_EBUSY || !recovery_is_under_way(object) ||
		    self_clock() - began > 1000)
			return tell(error, tag);
		nanosleep(&moment, NULL);
	}
}

int atmost_object_outcome(struct atmost_object *shared, uint64_t tag,
			  bool *happened, uint64_t *result)
{
	int cancel = quiet_refuse_cancel();
	int error = outcome(below(shared), tag, happened, result);

	quiet_allow_cancel(cancel);
	return error;
}
