/* SPDX-License-Identifier: BSD-2-Clause */
#include "target.h"

#include <sched.h>

struct atmost_object_type target_type(unsigned which, unsigned capacity)
{
	switch (which) {
	case COUNTER:
		return atmost_counter_type();
	case REGISTER:
		return atmost_register_type();
	case QUEUE:
		return atmost_queue_type(capacity);
	case STACK:
		return atmost_stack_type(capacity);
	default:
		return atmost_map_type(capacity);
	}
}

static atmost_object_function *plain; /* the function of the target's type */

/* Calls the type's function, and yields now and then.  So operations of other
 * workers overlap this operation even on one cpu. */
static void apply_and_yield(void *state, size_t size, uint64_t operation,
			    const uint64_t *argument, uint64_t *result)
{
	static _Thread_local unsigned calls;

	if (++calls % 4 == 0)
		sched_yield();
	plain(state, size, operation, argument, result);
	if (calls % 4 == 2)
		sched_yield();
}

bool target_open(struct target *target, const char *name)
{
	struct atmost_object_type type = target_type(target->which, CAPACITY);
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = target->k,
		.members = target->members,
	};

	plain = type.apply;
	type.apply = apply_and_yield;
	return (name ? atmost_object_open(&target->object, name, &shape)
		     : atmost_object_create(&target->object, &shape)) == 0;
}
