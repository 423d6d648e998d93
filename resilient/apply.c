/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Applies an operation.  The member enters a k-assignment; the slot that it
 * gets is the name under which it applies the operation.
 */
#include "resilient/resilient.h"

#include "runtime/enter.h"
#include "runtime/error.h"
#include "runtime/outcome.h"

#include <string.h>

static int check(const struct atmost_member *me, uint64_t operation)
{
	const struct named_object_type *type;
	int error = enter_check(me);

	if (error)
		return error;
	type = &me->pool->type;
	if (operation < 1 || operation > type->operations)
		return error_say(ATMOST_EOPERATION,
				 "operation is %ju; the operations of %s are 1 "
				 "to %u",
				 (uintmax_t)operation, type->name,
				 type->operations);
	return 0;
}

static int check_want(const struct atmost_object_want *want)
{
	if (want->tag >> 63)
		return error_say(ATMOST_EWANT,
				 "want.tag is %ju; it must be less than 2^63",
				 (uintmax_t)want->tag);
	return 0;
}

/* Called while the member is inside.  Saves the results of a tagged operation
 * before the member gives its name back, because the next holder of the name
 * overwrites them. */
static int apply_inside(struct atmost_member *me, uint64_t operation,
			const uint64_t *argument, uint64_t *result)
{
	uint64_t failed;

	me->request.argument = argument;
	me->request.result = result;
	me->process.operation = operation;
	failed = me->pool->algorithm->object.apply(me->shared, &me->process);
	if (failed)
		return ATMOST_ECORRUPT;
	if (me->tag)
		outcome_done(me->pool, me->process.id, result);
	return 0;
}

static int apply_entering(struct atmost_member *me,
			  const struct atmost_want *want, uint64_t operation,
			  const uint64_t *argument, uint64_t *result)
{
	int error, left;

	error = atmost_enter(me, want);
	if (error < 0)
		return error;
	error = apply_inside(me, operation, argument, result);
	left = atmost_leave(me);
	if (error || left)
		return error_is(error ? error : left);
	return 0;
}

/* Records the tag of the operation that begins.  Writes nothing if neither this
 * operation nor the member's last operation has a tag. */
static void begin(struct atmost_member *me, uint64_t tag)
{
	if (tag == 0 && me->tag == 0)
		return;
	me->tag = tag;
	outcome_begin(me->pool, me->process.id, tag);
}

static int apply(struct atmost_member *me, const struct atmost_want *want,
		 uint64_t tag, uint64_t operation, const uint64_t *argument,
		 uint64_t *result)
{
	static const uint64_t zeros[ATMOST_OBJECT_WORDS];
	uint64_t results[ATMOST_OBJECT_WORDS];
	int error = check(me, operation);

	if (error)
		return error;
	if (!argument)
		argument = zeros;
	begin(me, tag);
	if (me->pool->type.guarded)
		error = trial_run(me->pool, operation, argument);
	if (!error)
		error = apply_entering(me, want, operation, argument, results);
	if (error)
		begin(me, 0); /* no outcome: the caller sees the error */
	else if (result)
		memcpy(result, results,
		       me->pool->type.in_words.results * sizeof *result);
	return error;
}

int atmost_object_apply(struct atmost_object_member *member, uint64_t operation,
			const uint64_t *argument, uint64_t *result)
{
	return apply(member_of(member), NULL, 0, operation, argument, result);
}

int atmost_object_apply_as(struct atmost_object_member *member,
			   const struct atmost_object_want *want,
			   uint64_t operation, const uint64_t *argument,
			   uint64_t *result)
{
	struct atmost_want inner;
	int error;

	if (!want)
		return atmost_object_apply(member, operation, argument, result);
	error = check_want(want);
	if (error)
		return error;
	inner = (struct atmost_want){
		.deadline = want->deadline,
		.flags = want->flags,
	};
	return apply(member_of(member),
		     want->deadline || want->flags ? &inner : NULL, want->tag,
		     operation, argument, result);
}
