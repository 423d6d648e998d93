/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four processes claim places in a shared map.
 *
 * The key is a place, and the value is the number of the process that owns the
 * place.  A key can be added only once (claim()), so no two processes get the
 * same place; a place that its owner removes can be claimed again.
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

/* An operation gets all argument words of the type, even those it ignores. */
static bool apply(struct atmost_object_member *me, uint64_t operation,
		  uint64_t place, uint64_t owner, uint64_t *value)
{
	const uint64_t pair[2] = { place, owner };
	uint64_t result[2];

	check(atmost_object_apply(me, operation, pair, result));
	*value = result[1];
	return result[0];
}

/* Claims a free place.  If all places are taken, tries again until another
 * process gives one back. */
static uint64_t claim(struct atmost_object_member *me, uint64_t owner)
{
	uint64_t place = 1, value;

	while (!apply(me, ATMOST_MAP_ADD, place, owner, &value))
		place = place % PLACES + 1;
	return place;
}

/* Claims two places and gives the first one back. */
static int claim_twice(uint64_t owner)
{
	struct atmost_object_member *me;
	uint64_t first, second, value;

	check(atmost_object_join(places, &me));
	first = claim(me, owner);
	second = claim(me, owner);
	if (!apply(me, ATMOST_MAP_REMOVE, first, 0, &value) || value != owner)
		return 1;
	if (!apply(me, ATMOST_MAP_GET, second, 0, &value) || value != owner)
		return 1;
	atmost_object_part(me);
	return 0;
}

int main(void)
{
	const struct atmost_object_type type = atmost_map_type(PLACES);
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	struct atmost_object_member *me;
	uint64_t owner, count;
	int status, failed = 0;

	snprintf(name, sizeof name, "map-%ld", (long)getpid());
	check(atmost_object_open(&places, name, &shape));
	for (int i = 1; i <= CLAIMANTS; i++)
		if (fork() == 0)
			exit(claim_twice((uint64_t)i));
	for (int i = 0; i < CLAIMANTS; i++) {
		wait(&status);
		failed += status != 0;
	}
	check(atmost_object_join(places, &me));
	for (uint64_t place = 1; place <= PLACES; place++)
		if (apply(me, ATMOST_MAP_GET, place, 0, &owner))
			printf("process %d owns place %d\n", (int)owner,
			       (int)place);
	apply(me, ATMOST_MAP_COUNT, 0, 0, &count);
	atmost_object_close(places);
	check(atmost_unlink(name));
	return count == CLAIMANTS && failed == 0 ? 0 : 1;
}
