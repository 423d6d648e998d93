/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Giving up: on time, and without a trace.
 */
#include "crowd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MEMBERS = 8 };

static struct atmost *object_of(const struct algorithm *a, unsigned k)
{
	struct crowd crowd = { .algorithm = a, .threads = MEMBERS, .k = k };

	return crowd_object(&crowd);
}

/* How many of its members can be inside at once, found out by trying. */
static unsigned room(struct atmost *object)
{
	const struct atmost_want try = { .session = 1, .flags = ATMOST_TRY };
	struct atmost_member *all[MEMBERS];
	unsigned inside = 0;

	for (unsigned i = 0; i < MEMBERS; i++) {
		assert_int_equal(0, atmost_join(object, &all[i]));
		inside += atmost_enter(all[i], &try) >= 0;
	}
	for (unsigned i = 0; i < MEMBERS; i++)
		atmost_part(all[i]);
	return inside;
}

static void be_late(const struct algorithm *a)
{
	struct atmost *object = object_of(a, 1);
	struct atmost_member *holder, *me;
	double worst = 0;

	assert_int_equal(0, atmost_join(object, &holder));
	assert_int_equal(0, atmost_join(object, &me));
	assert_int_equal(0, atmost_enter(holder, NULL));
	for (int ms = 0; ms <= 64; ms = ms ? 2 * ms : 1) {
		struct timespec deadline = crowd_deadline(ms * 1000000);
		struct atmost_want want = { .deadline = &deadline,
					    .session = 1 };
		double start = crowd_now(), late;

		assert_int_equal(ATMOST_ETIMEDOUT, atmost_enter(me, &want));
		late = crowd_now() - start - ms / 1e3;
		worst = late > worst ? late : worst;
		assert_true(late > -1e-4);
	}
	assert_int_equal(0, atmost_leave(holder));
	atmost_part(holder);
	atmost_part(me);
	assert_int_equal(1, room(object));
	atmost_close(object);
	print_message("%-14s at most %.2f ms late\n", a->name, worst * 1e3);
	assert_true(worst < 0.5);
}

static void a_wait_ends_soon_after_its_deadline(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(60, "a deadline does not end the wait\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (crowd_k(a, 1) && a->abort)
			be_late(a);
}

static void give_up(const struct algorithm *a, int64_t patience)
{
	struct crowd crowd = {
		.algorithm = a,
		.threads = MEMBERS,
		.k = crowd_k(a, 2),
		.least = 5,
		.seconds = crowd_seconds(0.5),
		.patience = patience,
	};

	crowd_run(&crowd);
	print_message("%-14s deadlines to %5jd us  %8ju passages  %8ju given "
		      "up\n",
		      a->name, (intmax_t)patience / 1000,
		      (uintmax_t)crowd.passages, (uintmax_t)crowd.timeouts);
	assert_false(crowd.broken);
	assert_true(crowd.timeouts > 0);
}

/* Everybody makes its passages, though most give up most of the time. */
static void whoever_gives_up_is_in_nobodys_way(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(120, "somebody is stuck\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		if (!crowd_k(a, 2) || !a->abort)
			continue;
		give_up(a, 10000);
		give_up(a, 100000);
		wait_policy.pauses = wait_policy.yields = 0;
		give_up(a, 100000);
		wait_policy.vector = false;
		give_up(a, 100000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(a_wait_ends_soon_after_its_deadline),
		CROWD_TEST(whoever_gives_up_is_in_nobodys_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
