/* SPDX-License-Identifier: BSD-2-Clause */
/* user VERSION: this program uses only installed files. */
#include <atmost/resilient.h>

#include <stdio.h>
#include <string.h>

/* The library has internal functions with these names. */
int dijkstra(void);
int k_ticket(void);

int dijkstra(void)
{
	return 1;
}

int k_ticket(void)
{
	return 2;
}

static int visit(const struct atmost_shape *shape)
{
	struct atmost *object;
	struct atmost_member *me;
	int slot;

	if (atmost_create(&object, shape) < 0 || atmost_join(object, &me) < 0 ||
	    (slot = atmost_enter(me, NULL)) < 0 || atmost_leave(me) < 0) {
		fprintf(stderr, "user: %s\n", atmost_detail());
		return -1;
	}
	atmost_part(me);
	atmost_close(object);
	return slot;
}

static void increment(void *state, size_t size, uint64_t operation,
		      const uint64_t *argument, uint64_t *result)
{
	(void)size;
	(void)operation;
	(void)argument;
	*result = ++*(uint64_t *)state;
}

static uint64_t count_to_1(void)
{
	const struct atmost_object_type type = {
		.name = "user",
		.size = sizeof(uint64_t),
		.apply = increment,
		.operations = 1,
		.results = 1,
	};
	const struct atmost_object_shape shape = { .type = &type, .k = 1 };
	struct atmost_object *object = NULL;
	struct atmost_object_member *me;
	uint64_t result = 0;

	if (atmost_object_create(&object, &shape) < 0 ||
	    atmost_object_join(object, &me) < 0 ||
	    atmost_object_apply(me, 1, NULL, &result) < 0)
		fprintf(stderr, "user: %s\n", atmost_detail());
	atmost_object_close(object);
	return result;
}

int main(int count, char **arguments)
{
	const struct atmost_shape pool = { .kind = ATMOST_EXCLUSION, .k = 2 };
	const struct atmost_shape mutex = {
		.kind = ATMOST_MUTEX,
		.algorithm = "dijkstra",
	};
	const struct atmost_shape ticket = {
		.kind = ATMOST_EXCLUSION,
		.k = 2,
		.algorithm = "k-ticket",
	};

	if (dijkstra() + k_ticket() != 3 || visit(&pool) < 0 ||
	    visit(&mutex) < 0 || visit(&ticket) < 0 || count_to_1() != 1)
		return 1;
	printf("atmost %s\n", atmost_version());
	return count != 2 || strcmp(arguments[1], atmost_version()) != 0;
}
