/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the oracle reports every violation, and nothing else. */
#include "oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WORKERS = 4 };

static struct oracle_worker worker[WORKERS];

/* Resets the oracle for k = 2, with slots. */
static struct oracle *begin(void)
{
	static struct oracle *oracle;
	static uint32_t serial;

	if (!oracle)
		oracle = oracle_map();
	oracle_begin(oracle, 2, true);
	oracle->violated = false;
	oracle->violation[0] = '\0';
	for (unsigned i = 0; i < WORKERS; i++) {
		worker[i] = (struct oracle_worker){ oracle, i, ++serial, 0 };
		oracle->worker[i].serial = serial;
	}
	return oracle;
}

static void k_living_workers_may_be_inside(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&worker[0], 0);
	oracle_enter(&worker[1], 1);
	oracle_leave(&worker[0], 0);
	oracle_enter(&worker[2], 0);
	assert_false(oracle->violated);
}

static void a_living_worker_too_many_is_reported(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&worker[0], 0);
	oracle_enter(&worker[1], 1);
	oracle_enter(&worker[2], 2);
	assert_true(oracle->violated);
}

static void two_holders_of_a_slot_are_reported(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&worker[0], 1);
	oracle_enter(&worker[1], 1);
	assert_true(oracle->violated);
}

static void a_leaver_whose_slot_was_taken_is_reported(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&worker[0], 1);
	oracle_mark_killed(oracle, 0);
	oracle_enter(&worker[1], 1);
	assert_false(oracle->violated);
	oracle_leave(&worker[0], 1); /* the worker was not dead */
	assert_true(oracle->violated);
}

static void killed_workers_do_not_count(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	oracle_enter(&worker[0], 0);
	oracle_enter(&worker[1], 1);
	oracle_mark_killed(oracle, 0);
	oracle_enter(&worker[2], 0);
	oracle_forget(oracle, 0);
	assert_false(oracle->violated);
	oracle_enter(&worker[3], 0);
	assert_true(oracle->violated);
}

static void two_sessions_inside_are_reported(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	worker[0].session = worker[1].session = UINT64_MAX;
	oracle_enter(&worker[0], 0);
	oracle_enter(&worker[1], 1);
	oracle_leave(&worker[0], 0);
	assert_false(oracle->violated);
	worker[0].session = UINT64_MAX - 1;
	oracle_enter(&worker[0], 0);
	assert_true(oracle->violated);
}

static void another_session_may_follow_a_killed_worker(void **state)
{
	struct oracle *oracle = begin();

	(void)state;
	worker[0].session = 1;
	worker[1].session = 2;
	oracle_enter(&worker[0], 0);
	oracle_mark_killed(oracle, 0);
	oracle_enter(&worker[1], 0);
	oracle_forget(oracle, 0);
	oracle_leave(&worker[1], 0);
	worker[2].session = 1;
	oracle_enter(&worker[2], 0);
	assert_false(oracle->violated);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k_living_workers_may_be_inside),
		cmocka_unit_test(a_living_worker_too_many_is_reported),
		cmocka_unit_test(two_holders_of_a_slot_are_reported),
		cmocka_unit_test(a_leaver_whose_slot_was_taken_is_reported),
		cmocka_unit_test(killed_workers_do_not_count),
		cmocka_unit_test(two_sessions_inside_are_reported),
		cmocka_unit_test(another_session_may_follow_a_killed_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
