/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that two threads of a forked child can use an inherited pool at the
 * same time.  The parent has only one thread, so that ThreadSanitizer can
 * follow the child.  ThreadSanitizer must find no data race.
 */
#include "folder.h"

#include <unistd.h>

/* Two threads of a child that join the pool at the same time. */
struct pair {
	struct atmost *pool;
	pthread_barrier_t begin;
};

static void *join_enter_and_part(void *argument)
{
	struct pair *pair = argument;
	struct atmost_member *me = NULL;
	bool failed;

	pthread_barrier_wait(&pair->begin);
	failed = atmost_join(pair->pool, &me) < 0 ||
		 atmost_enter(me, NULL) < 0 || atmost_leave(me) < 0;
	atmost_part(me);
	return failed ? pair : NULL;
}

static int join_in_two_threads(const void *argument)
{
	struct pair pair = { .pool = (struct atmost *)(uintptr_t)argument };
	pthread_t thread[2];
	void *failed[2] = { NULL, NULL };

	pthread_barrier_init(&pair.begin, NULL, 2);
	for (unsigned i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, join_enter_and_part,
				   &pair) != 0)
			return 1;
	for (unsigned i = 0; i < 2; i++)
		pthread_join(thread[i], &failed[i]);
	return failed[0] || failed[1];
}

static void two_threads_of_a_child_may_join_at_once(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct atmost_totals totals;

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(0, in_child(join_in_two_threads, pool));
	assert_int_equal(0, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(0, totals.members);
	assert_int_equal(0, totals.recovered);
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(two_threads_of_a_child_may_join_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
