/* SPDX-License-Identifier: BSD-2-Clause */
/* That the oracle refuses what it must, and nothing else. */
#include "oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ACTORS = 4 };

static struct actor actor[ACTORS];

/* k = 2, with slots. */
static struct oracle *begin(void)
{
	static struct oracle *oracle;
	static uint32_t serial;

	if (!oracle)
		oracle = oracle_map();
	oracle_begin(oracle, 2, true);
	oracle->violated = false;
	oracle->violation[0] = '\0';
	for (unsigned i = 0; i < ACTORS; i++) {
		actor[i] = (struct actor){ oracle, i, ++serial, 0 };
		oracle->chair[i].serial = serial;
	}
	return oracle;
}

static void k_living_ones_may_be_inside(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&actor[0], 0);
	oracle_enter(&actor[1], 1);
	oracle_leave(&actor[0], 0);
	oracle_enter(&actor[2], 0);
	assert_false(oracle->violated);
}

static void one_more_is_seen(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&actor[0], 0);
	oracle_enter(&actor[1], 1);
	oracle_enter(&actor[2], 2);
	assert_true(oracle->violated);
}

static void two_in_a_slot_are_seen(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&actor[0], 1);
	oracle_enter(&actor[1], 1);
	assert_true(oracle->violated);
}

static void who_leaves_sees_that_its_slot_was_taken(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&actor[0], 1);
	oracle_doom(oracle, 0);
	oracle_enter(&actor[1], 1);
	assert_false(oracle->violated);
	oracle_leave(&actor[0], 1); /* it was not dead after all */
	assert_true(oracle->violated);
}

static void the_killed_do_not_count(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&actor[0], 0);
	oracle_enter(&actor[1], 1);
	oracle_doom(oracle, 0);
	oracle_enter(&actor[2], 0);
	oracle_bury(oracle, 0);
	assert_false(oracle->violated);
	oracle_enter(&actor[3], 0);
	assert_true(oracle->violated);
}

static void two_sessions_are_seen(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	actor[0].session = actor[1].session = UINT64_MAX;
	oracle_enter(&actor[0], 0);
	oracle_enter(&actor[1], 1);
	oracle_leave(&actor[0], 0);
	assert_false(oracle->violated);
	actor[0].session = UINT64_MAX - 1;
	oracle_enter(&actor[0], 0);
	assert_true(oracle->violated);
}

static void another_session_may_follow_the_killed(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	actor[0].session = 1;
	actor[1].session = 2;
	oracle_enter(&actor[0], 0);
	oracle_doom(oracle, 0);
	oracle_enter(&actor[1], 0);
	oracle_bury(oracle, 0);
	oracle_leave(&actor[1], 0);
	actor[2].session = 1;
	oracle_enter(&actor[2], 0);
	assert_false(oracle->violated);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k_living_ones_may_be_inside),
		cmocka_unit_test(one_more_is_seen),
		cmocka_unit_test(two_in_a_slot_are_seen),
		cmocka_unit_test(who_leaves_sees_that_its_slot_was_taken),
		cmocka_unit_test(the_killed_do_not_count),
		cmocka_unit_test(two_sessions_are_seen),
		cmocka_unit_test(another_session_may_follow_the_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
