/* SPDX-License-Identifier: BSD-2-Clause */
/* small_pool NAME MEMBERS: creates a pool with one slot and room for MEMBERS
 * members. */
#include <atmost/atmost.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT, .k = 1 };
	struct atmost *pool;

	if (argc != 3)
		return 2;
	shape.members = (unsigned)atoi(argv[2]);
	if (atmost_open(&pool, argv[1], &shape) < 0) {
		fprintf(stderr, "small_pool: %s\n", atmost_detail());
		return 1;
	}
	atmost_close(pool);
	return 0;
}
