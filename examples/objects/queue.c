/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three processes take jobs from a shared queue with room for eight jobs.
 *
 * Each job is taken exactly once, and every process gets its jobs in the order
 * in which they were put.  No operation waits: until_done() tries again while
 * the queue is full or empty.
 */
#define _DEFAULT_SOURCE

#include <atmost/resilient.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 3, JOBS = 60, ROOM = 8, LAST = 1000 };

static struct atmost_object *jobs;
static char name[32];
static atomic_int *taken; /* how often each job was taken; shared memory */

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "queue: %s\n", atmost_detail());
	atmost_unlink(name);
	exit(1);
}

/*
 * Repeats the operation until it succeeds: while the queue is full, PUT fails;
 * while the queue is empty, TAKE fails.
 */
static uint64_t until_done(struct atmost_object_member *me, uint64_t operation,
			   uint64_t job)
{
	uint64_t result[2];

	for (;;) {
		check(atmost_object_apply(me, operation, &job, result));
		if (result[0])
			return result[1];
		usleep(100);
	}
}

static void work(void)
{
	struct atmost_object_member *me;
	uint64_t job, before = 0;

	check(atmost_object_join(jobs, &me));
	while ((job = until_done(me, ATMOST_QUEUE_TAKE, 0)) != LAST) {
		atomic_fetch_add(&taken[job], 1);
		if (job <= before)
			exit(1);
		before = job;
	}
	atmost_object_part(me);
	exit(0);
}

int main(void)
{
	const struct atmost_object_type type = atmost_queue_type(ROOM);
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	struct atmost_object_member *me;
	int status, failed = 0, once = 0;

	snprintf(name, sizeof name, "queue-%ld", (long)getpid());
	taken = mmap(NULL, (JOBS + 1) * sizeof *taken, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (taken == MAP_FAILED)
		return 1;
	check(atmost_object_open(&jobs, name, &shape));
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0)
			work();

	check(atmost_object_join(jobs, &me));
	for (uint64_t job = 1; job <= JOBS; job++)
		until_done(me, ATMOST_QUEUE_PUT, job);
	for (int i = 0; i < WORKERS; i++)
		until_done(me, ATMOST_QUEUE_PUT, LAST);
	for (int i = 0; i < WORKERS; i++) {
		wait(&status);
		failed += status != 0;
	}
	for (int job = 1; job <= JOBS; job++)
		once += atomic_load(&taken[job]) == 1;
	printf("%d of %d jobs were taken once, by %d processes\n", once, JOBS,
	       WORKERS);
	atmost_object_close(jobs);
	check(atmost_unlink(name));
	return once == JOBS && failed == 0 ? 0 : 1;
}
