/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Twelve threads work, at most three at a time.
 *
 * The program creates a pool with k = 3.  Each thread joins the pool once, and
 * then enters and leaves for each job; see work().  Threads that have to wait
 * enter in order of arrival.
 */
#define _POSIX_C_SOURCE 200809L

#include <atmost/atmost.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORKERS = 12, AT_ONCE = 3, JOBS_EACH = 2 };

static struct atmost *pool;
static atomic_int inside; /* counted by the example, to check the pool */
static atomic_int done;

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "limiter: %s\n", atmost_detail());
	exit(1);
}

static void do_job(long worker, int job)
{
	const struct timespec ten_ms = { .tv_nsec = 10000000 };

	if (atomic_fetch_add(&inside, 1) >= AT_ONCE) {
		fprintf(stderr, "limiter: more than %d inside\n", AT_ONCE);
		exit(1);
	}
	printf("worker %2ld: job %d begins\n", worker, job);
	nanosleep(&ten_ms, NULL); /* the work */
	printf("worker %2ld: job %d is done\n", worker, job);
	atomic_fetch_sub(&inside, 1);
	atomic_fetch_add(&done, 1);
}

static void *work(void *argument)
{
	struct atmost_member *me;

	check(atmost_join(pool, &me));
	for (int job = 1; job <= JOBS_EACH; job++) {
		check(atmost_enter(me, NULL));
		do_job((long)argument,
		       job); /* at most three threads are here */
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

	check(atmost_create(&pool, &shape));
	for (long i = 0; i < WORKERS; i++)
		if (pthread_create(&workers[i], NULL, work, (void *)i) != 0)
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	atmost_close(pool);
	return done == WORKERS * JOBS_EACH ? 0 : 1;
}
