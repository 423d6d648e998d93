/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hold POOL: the program joins an existing pool through the library, enters it,
 * prints "inside SLOT", and stays until it is killed.
 */
#include <atmost/atmost.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct atmost_member *member;
	struct atmost *pool;
	int slot;

	if (argc != 2) {
		fprintf(stderr, "usage: %s POOL\n", argv[0]);
		return 2;
	}
	slot = atmost_open(&pool, argv[1], NULL);
	if (slot == 0)
		slot = atmost_join(pool, &member);
	if (slot == 0)
		slot = atmost_enter(member, NULL);
	if (slot < 0) {
		fprintf(stderr, "hold: %s\n", atmost_detail());
		return 1;
	}
	printf("inside %d\n", slot);
	fflush(stdout);
	for (;;)
		pause();
}
