/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests every group exclusion algorithm, over every mutex, with threads. */
#include "session_counts.h"

#include <pthread.h>
#include <stdlib.h>

struct worker {
	pthread_t thread;
	struct atmost *pool;
	struct session_counts *counts;
	unsigned sessions;
	bool gives_up; /* every second attempt has a deadline */
	double end;
	uint64_t random;
};

static void *make_passages(void *argument)
{
	struct worker *w = argument;
	struct atmost_member *me;

	if (atmost_join(w->pool, &me) < 0)
		abort();
	for (unsigned i = 0; i < 20 || clock_seconds() < w->end; i++) {
		struct timespec soon = clock_deadline(20000);
		struct atmost_want want = {
			.session = prng_next(&w->random) % w->sessions + 1,
			.deadline = w->gives_up && i % 2 ? &soon : NULL,
		};

		if (atmost_enter(me, &want) < 0) {
			atomic_fetch_add(&w->counts->given_up, 1);
			continue;
		}
		session_counts_stay(w->counts, want.session, &w->random);
		atmost_leave(me);
	}
	atmost_part(me);
	return NULL;
}

static void on_threads(const struct algorithm *a, unsigned threads,
		       bool give_up)
{
	struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = threads,
		.sessions = sessions_of(a),
		.algorithm = a->name,
	};
	struct session_counts counts = { 0 };
	struct worker worker[MOST];
	struct atmost *pool;

	watchdog_restart();
	assert_int_equal(0, atmost_create(&pool, &shape));
	for (unsigned i = 0; i < threads; i++) {
		worker[i] = (struct worker){
			.pool = pool,
			.counts = &counts,
			.sessions = shape.sessions,
			.gives_up = give_up,
			.end = clock_seconds() + clock_stress_seconds(0.2),
			.random = prng_seed() + i,
		};
		assert_int_equal(0, pthread_create(&worker[i].thread, NULL,
						   make_passages, &worker[i]));
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(worker[i].thread, NULL);
	session_counts_report(a->name,
			      give_up ? "threads, with deadlines" : "threads",
			      &counts);
	atmost_close(pool);
}

static void every_group_exclusion_admits_one_session_at_a_time_on_threads(
	void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a thread is stuck\n");
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		if (is_native_group(a)) {
			on_threads(a, 2, false);
			on_threads(a, 6, false);
		}
}

static void a_waiter_of_a_group_that_gives_up_leaves_no_trace(void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a thread is stuck\n");
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		if (is_native_group(a) && a->abort)
			on_threads(a, 6, true);
}

/* Naps last an hour, so that a lost wake-up becomes a hang. */
static void no_wake_up_of_a_group_is_lost(void **state)
{
	const struct algorithm *a;

	(void)state;
	wait_policy.nap = wait_policy.nap_most = INT64_C(3600000000000);
	wait_policy.pauses = wait_policy.yields = 0;
	watchdog_start("a wake-up was lost\n");
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		if (is_native_group(a))
			on_threads(a, 4, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(
			every_group_exclusion_admits_one_session_at_a_time_on_threads),
		STRESS_TEST(a_waiter_of_a_group_that_gives_up_leaves_no_trace),
		STRESS_TEST(no_wake_up_of_a_group_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
