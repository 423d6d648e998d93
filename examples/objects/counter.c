/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four processes add to a shared counter, and one of them is killed (SIGKILL).
 *
 * No addition is lost or counted twice.  The killed process gave each operation
 * a tag; count_of_victim() uses the last tag to ask the counter whether that
 * operation happened.
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
/*
 * For the process that is killed: its last tag, and the number of its
 * operations that have returned.
 */
static volatile uint64_t *tag, *returned;

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

/*
 * Each operation has a new tag.  The process writes the tag to shared memory
 * before the operation, so that the parent can ask for the outcome.
 */
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
		*returned = want.tag;
	}
}

static pid_t start(void (*run)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		run();
		exit(0);
	}
	return pid;
}

/*
 * Counts the additions of the killed process: all that returned, and the last
 * one if it happened.
 */
static uint64_t count_of_victim(void)
{
	bool happened = false;
	int error;

	if (*tag == *returned)
		return *returned;
	do
		error = atmost_object_outcome(hits, *tag, &happened, NULL);
	while (error == ATMOST_EBUSY);
	/* ATMOST_ENOTFOUND: the victim was killed before its call. */
	if (error != ATMOST_ENOTFOUND)
		check(error);
	printf("killed at its operation %llu, which %s\n",
	       (unsigned long long)*tag,
	       happened ? "happened" : "did not happen");
	return *returned + happened;
}

int main(void)
{
	const struct atmost_object_type type = atmost_counter_type();
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	uint64_t sum, expected = 0;
	pid_t victim, worker[WORKERS - 1];
	int status;

	snprintf(name, sizeof name, "counter-%ld", (long)getpid());
	tag = mmap(NULL, 2 * sizeof *tag, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tag == MAP_FAILED)
		return 1;
	returned = tag + 1;
	check(atmost_object_open(&hits, name, &shape));

	victim = start(count_until_killed);
	for (int i = 0; i < WORKERS - 1; i++)
		worker[i] = start(count);
	while (*returned < 100 && waitpid(victim, &status, WNOHANG) == 0)
		usleep(100);
	kill(victim, SIGKILL);
	waitpid(victim, &status, 0);
	for (int i = 0; i < WORKERS - 1; i++) {
		waitpid(worker[i], &status, 0);
		expected += EACH;
	}
	expected += count_of_victim();

	check(atmost_object_read(hits, &sum));
	printf("counted %llu, expected %llu\n", (unsigned long long)sum,
	       (unsigned long long)expected);
	atmost_object_close(hits);
	check(atmost_unlink(name));
	return sum == expected ? 0 : 1;
}
