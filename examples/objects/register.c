/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Five processes elect a leader with a shared register.
 *
 * Each process tries to replace 0 by its own number (compare-and-swap, in
 * elect()).  The first process succeeds and leads; all other processes get the
 * leader's number as the result.
 */
#define _DEFAULT_SOURCE

#include <atmost/resilient.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANDIDATES = 5, FIRST = 11 /* the first candidate's number */ };

static struct atmost_object *leader;
static char name[32];

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "register: %s\n", atmost_detail());
	atmost_unlink(name);
	exit(1);
}

/* Returns the number of the leader. */
static int elect(uint64_t number)
{
	const uint64_t swap[2] = { 0, number }; /* expected, new */
	uint64_t result[2];                     /* swapped, old */
	struct atmost_object_member *me;

	check(atmost_object_join(leader, &me));
	check(atmost_object_apply(me, ATMOST_REGISTER_COMPARE_SWAP, swap,
				  result));
	atmost_object_part(me);
	if (result[0])
		printf("candidate %d leads\n", (int)number);
	return (int)(result[0] ? number : result[1]);
}

int main(void)
{
	const struct atmost_object_type type = atmost_register_type();
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	int status, agree = 0, first = 0;
	uint64_t value;

	/* With full buffering, a child of fork would print the contents of the
	 * parent's buffer a second time. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(name, sizeof name, "register-%ld", (long)getpid());
	check(atmost_object_open(&leader, name, &shape));
	for (int i = 0; i < CANDIDATES; i++)
		if (fork() == 0)
			exit(elect(FIRST + (uint64_t)i));
	for (int i = 0; i < CANDIDATES; i++) {
		if (wait(&status) < 0 || !WIFEXITED(status))
			return 1;
		if (i == 0)
			first = WEXITSTATUS(status);
		agree += WEXITSTATUS(status) == first;
	}
	check(atmost_object_read(leader, &value));
	printf("%d of %d processes name %d as the leader\n", agree, CANDIDATES,
	       first);
	atmost_object_close(leader);
	check(atmost_unlink(name));
	return agree == CANDIDATES && value == (uint64_t)first ? 0 : 1;
}
