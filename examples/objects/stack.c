/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Twelve threads share three buffers; the free buffers are on a shared stack.
 *
 * A thread pops a buffer, uses it and pushes it again (work()).  A stack
 * returns the buffer that was pushed last, which may still be in the cache.
 */
#define _DEFAULT_SOURCE

#include <atmost/resilient.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 12, BUFFERS = 3, EACH = 20 };

static struct atmost_object *unused;
static atomic_int users[BUFFERS]; /* threads that use each buffer */
static atomic_int clashes;

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "stack: %s\n", atmost_detail());
	exit(1);
}

static void *work(void *argument)
{
	struct atmost_object_member *me;
	uint64_t result[2];

	check(atmost_object_join(unused, &me));
	for (int i = 0; i < EACH; i++) {
		for (;;) {
			check(atmost_object_apply(me, ATMOST_STACK_POP, NULL,
						  result));
			if (result[0])
				break;
			usleep(100); /* all buffers are in use */
		}
		if (atomic_fetch_add(&users[result[1]], 1) > 0)
			atomic_fetch_add(&clashes, 1);
		usleep(10); /* the work */
		atomic_fetch_sub(&users[result[1]], 1);
		check(atmost_object_apply(me, ATMOST_STACK_PUSH, &result[1],
					  NULL));
	}
	atmost_object_part(me);
	return argument;
}

int main(void)
{
	const struct atmost_object_type type = atmost_stack_type(BUFFERS);
	const struct atmost_object_shape shape = { .type = &type, .k = 4 };
	struct atmost_object_member *me;
	pthread_t thread[THREADS];
	uint64_t depth[2];

	check(atmost_object_create(&unused, &shape));
	check(atmost_object_join(unused, &me));
	for (uint64_t buffer = 0; buffer < BUFFERS; buffer++)
		check(atmost_object_apply(me, ATMOST_STACK_PUSH, &buffer,
					  NULL));
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	check(atmost_object_apply(me, ATMOST_STACK_DEPTH, NULL, depth));
	printf("%d buffers, used %d times by %d threads; %d clashes, %d free\n",
	       BUFFERS, THREADS * EACH, THREADS, atomic_load(&clashes),
	       (int)depth[1]);
	atmost_object_close(unused);
	return atomic_load(&clashes) == 0 && depth[1] == BUFFERS ? 0 : 1;
}
