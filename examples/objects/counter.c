/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four processes count together, and one of them is killed with kill -9 in the
 * middle of it.  Nothing is lost and nothing counted twice: what it was at is
 * asked for by the tag that it gave its operation.
 */
#define _DEFAULT_SOURCE

#include <atmost/resilient.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, EACH = 1000 };

static struct atmost_object *hits;
static char name[32];
/* Of the one that is killed: its last tag, and how many it was told of. */
static volatile uint64_t *tag, *told;

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "counter: %s\n", atmost_detail());
	atmost_unlink(name);
	exit(1);
}

static void count(void)
{
	struct atmost_object_member *me;
	const uint64_t one = 1;

	check(atmost_object_join(hits, &me));
	for (int i = 0; i < EACH; i++)
		check(atmost_object_apply(me, ATMOST_COUNTER_ADD, &one, NULL));
	atmost_object_part(me);
}

/* A tag is never used twice, and known to who will ask. */
static void count_until_killed(void)
{
	struct atmost_object_want want = { .tag = 0 };
	struct atmost_object_member *me;
	const uint64_t one = 1;

	check(atmost_object_join(hits, &me));
	for (;;) {
		*tag = ++want.tag;
		check(atmost_object_apply_as(me, &want, ATMOST_COUNTER_ADD,
					     &one, NULL));
		*told = want.tag;
	}
}

static pid_t start(void (*deed)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		deed();
		exit(0);
	}
	return pid;
}

/* How many the killed one has added: those it was told of, and perhaps one. */
static uint64_t ask(void)
{
	bool happened = false;
	int error;

	if (*tag == *told)
		return *told;
	do
		error = atmost_object_outcome(hits, *tag, &happened, NULL);
	while (error == ATMOST_EBUSY);
	if (error != ATMOST_ENOTFOUND) /* killed before it could ask */
		check(error);
	printf("killed at its operation %llu, which %s\n",
	       (unsigned long long)*tag,
	       happened ? "happened" : "did not happen");
	return *told + happened;
}

int main(void)
{
	const struct atmost_object_type type = atmost_counter_type();
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	uint64_t sum, expected = 0;
	pid_t unlucky, worker[WORKERS - 1];
	int status;

	snprintf(name, sizeof name, "counter-%ld", (long)getpid());
	tag = mmap(NULL, 2 * sizeof *tag, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tag == MAP_FAILED)
		return 1;
	told = tag + 1;
	check(atmost_object_open(&hits, name, &shape));

	unlucky = start(count_until_killed);
	for (int i = 0; i < WORKERS - 1; i++)
		worker[i] = start(count);
	while (*told < 100 && waitpid(unlucky, &status, WNOHANG) == 0)
		usleep(100);
	kill(unlucky, SIGKILL);
	waitpid(unlucky, &status, 0);
	for (int i = 0; i < WORKERS - 1; i++) {
		waitpid(worker[i], &status, 0);
		expected += EACH;
	}
	expected += ask();

	check(atmost_object_read(hits, &sum));
	printf("counted %llu, expected %llu\n", (unsigned long long)sum,
	       (unsigned long long)expected);
	atmost_object_close(hits);
	check(atmost_unlink(name));
	return sum == expected ? 0 : 1;
}
