/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ten jobs share three devices, and each job knows which device is its own.
 *
 * A pool of kind ATMOST_ASSIGNMENT lets at most k members in, like a semaphore.
 * In addition atmost_enter returns a slot from 0 to k-1 that no other member
 * inside has; run() uses the slot as the number of a device.  If the jobs are
 * processes instead of threads, call atmost_open instead of atmost_create.
 */
#define _POSIX_C_SOURCE 200809L

#include <atmost/atmost.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { JOBS = 10, DEVICES = 3 };

static struct atmost *devices;
static atomic_int users[DEVICES]; /* jobs on each device, to check the pool */
static atomic_int done[DEVICES];

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "gpu_slots: %s\n", atmost_detail());
	exit(1);
}

static void compute(long job, int device)
{
	const struct timespec ten_ms = { .tv_nsec = 10000000 };

	if (atomic_fetch_add(&users[device], 1) != 0) {
		fprintf(stderr, "gpu_slots: two jobs on device %d\n", device);
		exit(1);
	}
	printf("job %ld runs on device %d\n", job, device);
	nanosleep(&ten_ms, NULL); /* the work */
	atomic_fetch_sub(&users[device], 1);
	atomic_fetch_add(&done[device], 1);
}

static void *run(void *argument)
{
	struct atmost_member *me;
	int device;

	check(atmost_join(devices, &me));
	check(device = atmost_enter(me, NULL));
	compute((long)argument, device); /* no other job has this device */
	check(atmost_leave(me));
	atmost_part(me);
	return NULL;
}

int main(void)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_ASSIGNMENT,
		.k = DEVICES,
		.members = JOBS,
	};
	pthread_t jobs[JOBS];
	int all = 0;

	check(atmost_create(&devices, &shape));
	for (long i = 0; i < JOBS; i++)
		if (pthread_create(&jobs[i], NULL, run, (void *)i) != 0)
			return 1;
	for (int i = 0; i < JOBS; i++)
		pthread_join(jobs[i], NULL);
	atmost_close(devices);

	for (int i = 0; i < DEVICES; i++) {
		printf("device %d did %d jobs\n", i, done[i]);
		all += done[i];
	}
	return all == JOBS ? 0 : 1;
}
