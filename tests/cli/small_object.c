/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small_object NAME: opens a shared object, joins it, begins an operation, and
 * stays in the operation's function until standard input ends.
 */
#include <atmost/resilient.h>
#include <stdio.h>
#include <unistd.h>

static void stay(void *state, size_t size, uint64_t operation,
		 const uint64_t *argument, uint64_t *result)
{
	char c;

	(void)state;
	(void)size;
	(void)operation;
	(void)argument;
	result[0] = 0;
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
}

int main(int argc, char **argv)
{
	const struct atmost_object_type type = {
		.name = "stay",
		.size = 1,
		.apply = stay,
		.operations = 1,
		.results = 1,
	};
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	struct atmost_object *object;
	struct atmost_object_member *me;

	if (argc != 2)
		return 2;
	if (atmost_object_open(&object, argv[1], &shape) < 0 ||
	    atmost_object_join(object, &me) < 0 ||
	    atmost_object_apply(me, 1, NULL, NULL) < 0) {
		fprintf(stderr, "small_object: %s\n", atmost_detail());
		return 1;
	}
	atmost_object_close(object);
	return 0;
}
