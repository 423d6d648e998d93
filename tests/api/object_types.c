/* SPDX-License-Identifier: BSD-2-Clause */
#include "object_types.h"

#include "api.h"

#include <signal.h>
#include <unistd.h>

enum behaviour behaviour;
int staying[2], go_on[2];

void behaviour_begin(void)
{
	behaviour = NONE;
	assert_int_equal(0, pipe(staying) | pipe(go_on));
}

static void stay_or_die(void)
{
	char c = 0;

	if (behaviour == DIE)
		kill(getpid(), SIGKILL);
	if (behaviour != STAY)
		return;
	behaviour = NONE;
	(void)!write(staying[1], &c, 1);
	(void)!read(go_on[0], &c, 1);
}

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	struct twice *t = state;

	stay_or_die();
	if (operation == ADD) {
		result[0] = t->number == t->again ? t->number : 666;
		result[1] = argument[1];
		t->number += argument[0];
		t->again = t->number;
	}
	if (operation == ALL_ONES || operation == THIRD)
		for (unsigned i = 0; i < 2 + (operation == THIRD); i++)
			result[i] = UINT64_MAX;
	if (operation == BEHIND)
		((char *)state)[size + argument[0] - 1] = 1;
	if (operation == BEFORE)
		((char *)state)[-1] = 1;
}

struct atmost_object_type twice_type(void)
{
	return (struct atmost_object_type){
		.name = "twice",
		.size = sizeof(struct twice),
		.apply = apply,
		.operations = LAST - 1,
		.arguments = 2,
		.results = 2,
	};
}

struct atmost_object *make_twice(unsigned k, unsigned members,
				 const char *algorithm, unsigned flags)
{
	const struct atmost_object_type type = twice_type();
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = k,
		.members = members,
		.algorithm = algorithm,
		.flags = flags,
	};
	struct atmost_object *object = NULL;

	if (atmost_object_create(&object, &shape) < 0)
		fail_msg("%s", atmost_detail());
	return object;
}

struct atmost_object *open_twice(const char *name, unsigned k)
{
	const struct atmost_object_type type = twice_type();
	const struct atmost_object_shape shape = { .type = &type, .k = k };
	struct atmost_object *object = NULL;

	if (atmost_object_open(&object, name, &shape) < 0)
		fail_msg("%s: %s", name, atmost_detail());
	return object;
}

struct atmost_object_member *join_object(struct atmost_object *object)
{
	struct atmost_object_member *me = NULL;

	if (atmost_object_join(object, &me) < 0)
		fail_msg("%s", atmost_detail());
	return me;
}

uint64_t add(struct atmost_object_member *me, uint64_t number)
{
	const uint64_t argument[2] = { number, ~number };
	uint64_t result[2] = { 0, 0 };

	if (atmost_object_apply(me, ADD, argument, result) < 0)
		fail_msg("%s", atmost_detail());
	assert_int_equal(~number, result[1]);
	return result[0];
}

uint64_t number_of(struct atmost_object *object)
{
	struct twice t = { 1, 2 };

	if (atmost_object_read(object, &t) < 0)
		fail_msg("%s", atmost_detail());
	assert_int_equal(t.number, t.again);
	return t.number;
}
