/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A dozen workers share a line that takes three of them at a time.
 *
 * Each worker joins once and then enters and leaves as often as it likes.  The
 * order is the order of arrival: nobody is overtaken.
 */
#define _POSIX_C_SOURCE 200809L

#include <atmost/atmost.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORKERS = 12, AT_ONCE = 3, JOBS_EACH = 2 };

static struct atmost *line;
static atomic_int inside; /* counted apart from it */
static atomic_int done;

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "limiter: %s\n", atmost_detail());
	exit(1);
}

static void fetch(long worker, int job)
{
	const struct timespec a_while = { .tv_nsec = 10000000 };

	if (atomic_fetch_add(&inside, 1) >= AT_ONCE) {
		fprintf(stderr, "limiter: one too many\n");
		exit(1);
	}
	printf("worker %2ld: job %d begins\n", worker, job);
	nanosleep(&a_while, NULL); /* the work */
	printf("worker %2ld: job %d is done\n", worker, job);
	atomic_fetch_sub(&inside, 1);
	atomic_fetch_add(&done, 1);
}

static void *work(void *argument)
{
	struct atmost_member *me;

	check(atmost_join(line, &me));
	for (int job = 1; job <= JOBS_EACH; job++) {
		check(atmost_enter(me, NULL));
		fetch((long)argument, job); /* at most three are here */
		check(atmost_leave(me));
	}
	atmost_part(me);
	return NULL;
}

int main(void)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = AT_ONCE,
		.members = WORKERS,
	};
	pthread_t workers[WORKERS];

	check(atmost_create(&line, &shape));
	for (long i = 0; i < WORKERS; i++)
		if (pthread_create(&workers[i], NULL, work, (void *)i) != 0)
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	atmost_close(line);
	return done == WORKERS * JOBS_EACH ? 0 : 1;
}
