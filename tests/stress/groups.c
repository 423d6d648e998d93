/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every group exclusion, over every mutex, on threads.
 */
#include "house.h"

#include <pthread.h>
#include <stdlib.h>

struct guest {
	pthread_t thread;
	struct atmost *object;
	struct house *house;
	unsigned sessions;
	bool hurries;
	double end;
	uint64_t random;
};

static void *visit(void *argument)
{
	struct guest *g = argument;
	struct atmost_member *me;

	if (atmost_join(g->object, &me) < 0)
		abort();
	for (unsigned i = 0; i < 20 || crowd_now() < g->end; i++) {
		struct timespec soon = crowd_deadline(20000);
		struct atmost_want want = {
			.session = crowd_random(&g->random) % g->sessions + 1,
			.deadline = g->hurries && i % 2 ? &soon : NULL,
		};

		if (atmost_enter(me, &want) < 0) {
			atomic_fetch_add(&g->house->given_up, 1);
			continue;
		}
		house_stay(g->house, want.session, &g->random);
		atmost_leave(me);
	}
	atmost_part(me);
	return NULL;
}

static void on_threads(const struct algorithm *a, unsigned threads,
		       bool hurried)
{
	struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = threads,
		.sessions = sessions_of(a),
		.algorithm = a->name,
	};
	struct house house = { 0 };
	struct guest guest[MOST];
	struct atmost *object;

	assert_int_equal(0, atmost_create(&object, &shape));
	for (unsigned i = 0; i < threads; i++) {
		guest[i] = (struct guest){
			.object = object,
			.house = &house,
			.sessions = shape.sessions,
			.hurries = hurried,
			.end = crowd_now() + crowd_seconds(0.2),
			.random = crowd_seed() + i,
		};
		assert_int_equal(0, pthread_create(&guest[i].thread, NULL,
						   visit, &guest[i]));
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(guest[i].thread, NULL);
	house_report(a->name, hurried ? "threads, hurried" : "threads", &house);
	atmost_close(object);
}

static void every_group_exclusion_admits_one_session_of_threads(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(300, "a thread is stuck\n");
	for (size_t i = 0; (a = crowd_algorithm(i)) != NULL; i++)
		if (is_native_group(a)) {
			on_threads(a, 2, false);
			on_threads(a, 6, false);
		}
}

static void who_gives_up_leaves_no_trace(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(300, "a thread is stuck\n");
	for (size_t i = 0; (a = crowd_algorithm(i)) != NULL; i++)
		if (is_native_group(a) && a->abort)
			on_threads(a, 6, true);
}

/* Without naps a wake-up that was lost is a hang. */
static void no_wake_up_of_a_group_is_lost(void **state)
{
	const struct algorithm *a;

	(void)state;
	wait_policy.nap = wait_policy.nap_most = INT64_C(3600000000000);
	wait_policy.pauses = wait_policy.yields = 0;
	crowd_watch(300, "a wake-up was lost\n");
	for (size_t i = 0; (a = crowd_algorithm(i)) != NULL; i++)
		if (is_native_group(a))
			on_threads(a, 4, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(every_group_exclusion_admits_one_session_of_threads),
		CROWD_TEST(who_gives_up_leaves_no_trace),
		CROWD_TEST(no_wake_up_of_a_group_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
