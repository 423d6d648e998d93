/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four processes claim places: a key can be added once only, and the value says
 * whose it is.  A place that is given back can be claimed again.
 */
#define _DEFAULT_SOURCE

#include <atmost/resilient.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLAIMANTS = 4, PLACES = 6 };

static struct atmost_object *places;
static char name[32];

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "map: %s\n", atmost_detail());
	atmost_unlink(name);
	exit(1);
}

/* The key, and whose it shall be; an operation is given all words of the type,
 * whether it needs them or not. */
static bool apply(struct atmost_object_member *me, uint64_t operation,
		  uint64_t place, uint64_t who, uint64_t *value)
{
	const uint64_t pair[2] = { place, who };
	uint64_t result[2];

	check(atmost_object_apply(me, operation, pair, result));
	*value = result[1];
	return result[0];
}

/* The next one that nobody has; there are more than enough. */
static uint64_t claim(struct atmost_object_member *me, uint64_t who)
{
	uint64_t place = 1, whose;

	while (!apply(me, ATMOST_MAP_ADD, place, who, &whose))
		place = place % PLACES + 1;
	return place;
}

/* Claims one place, then another, and keeps that. */
static int live(uint64_t who)
{
	struct atmost_object_member *me;
	uint64_t first, second, whose;

	check(atmost_object_join(places, &me));
	first = claim(me, who);
	second = claim(me, who);
	if (!apply(me, ATMOST_MAP_REMOVE, first, 0, &whose) || whose != who)
		return 1; /* it was ours */
	if (!apply(me, ATMOST_MAP_GET, second, 0, &whose) || whose != who)
		return 1;
	atmost_object_part(me);
	return 0;
}

int main(void)
{
	const struct atmost_object_type type = atmost_map_type(PLACES);
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	struct atmost_object_member *me;
	uint64_t whose, count;
	int status, failed = 0;

	snprintf(name, sizeof name, "map-%ld", (long)getpid());
	check(atmost_object_open(&places, name, &shape));
	for (int i = 1; i <= CLAIMANTS; i++)
		if (fork() == 0)
			exit(live((uint64_t)i));
	for (int i = 0; i < CLAIMANTS; i++) {
		wait(&status);
		failed += status != 0;
	}
	check(atmost_object_join(places, &me));
	for (uint64_t place = 1; place <= PLACES; place++)
		if (apply(me, ATMOST_MAP_GET, place, 0, &whose))
			printf("place %d is %d's\n", (int)place, (int)whose);
	apply(me, ATMOST_MAP_COUNT, 0, 0, &count);
	atmost_object_close(places);
	check(atmost_unlink(name));
	return count == CLAIMANTS && failed == 0 ? 0 : 1;
}
