/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests group pools: members of one session can be inside together, members of
 * different sessions never.
 */
#include "api.h"
#include "common/clock.h"

static struct atmost *make_group(const char *algorithm, unsigned sessions)
{
	struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = 4,
		.sessions = sessions,
		.algorithm = algorithm,
	};
	struct atmost *pool = NULL;

	assert_int_equal(0, atmost_create(&pool, &shape));
	return pool;
}

static int enter(struct atmost_member *me, uint64_t session, unsigned flags)
{
	const struct atmost_want want = { .session = session, .flags = flags };

	return atmost_enter(me, &want);
}

static void members_of_one_session_enter_together_and_others_wait(void **state)
{
	static const char *const names[] = {
		NULL,
		"jayanti-gme",
		"danek-fcfs/tree-mutex",
		"capture-cas",
		"capture-rw/tree-mutex",
		"two-session",
		"session-tree",
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct atmost *pool = make_group(names[i], 2);
		struct atmost_member *a = join(pool), *b = join(pool);
		struct atmost_member *c = join(pool);

		/* Only the default, hall, has slots.  The slot of a member is
		 * its id. */
		assert_int_equal(0, enter(a, 1, 0));
		assert_int_equal(i == 0, enter(b, 1, 0));
		assert_int_equal(ATMOST_EBUSY, enter(c, 2, ATMOST_TRY));
		assert_int_equal(0, atmost_leave(a));
		assert_int_equal(ATMOST_EBUSY, enter(c, 2, ATMOST_TRY));
		assert_int_equal(0, atmost_leave(b));
		assert_int_equal(i == 0 ? 2 : 0, enter(c, 2, ATMOST_TRY));
		assert_int_equal(ATMOST_EBUSY, enter(a, 1, ATMOST_TRY));
		assert_int_equal(i == 0, enter(b, 2, 0));
		atmost_close(pool);
	}
}

static void session_0_is_no_session(void **state)
{
	static const char *const names[] = { NULL, "danek-fcfs" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *pool = make_group(names[i], 0);
		struct atmost_member *me = join(pool);

		assert_int_equal(ATMOST_ESESSION, enter(me, 0, 0));
		expect_detail("want.session is 0");
		assert_int_equal(ATMOST_ESESSION, enter(me, 0, ATMOST_TRY));
		assert_int_equal(0, enter(me, UINT64_C(1) << 60, 0));
		atmost_close(pool);
	}
}

/* No two of these numbers are the same session. */
static void any_64_bit_number_is_a_session(void **state)
{
	static const uint64_t sessions[] = {
		1,
		2,
		UINT32_MAX,
		UINT64_C(1) << 32,
		UINT64_C(1) << 63,
		UINT64_MAX - 1,
		UINT64_MAX,
	};
	enum { SESSIONS = sizeof sessions / sizeof *sessions };
	struct atmost *pool = make_group(NULL, 0);
	struct atmost_member *a = join(pool), *b = join(pool);

	(void)state;
	for (unsigned i = 0; i < SESSIONS; i++) {
		assert_int_equal(0, enter(a, sessions[i], ATMOST_TRY));
		for (unsigned j = 0; j < SESSIONS; j++) {
			int slot = enter(b, sessions[j], ATMOST_TRY);

			assert_int_equal(i == j ? 1 : ATMOST_EBUSY, slot);
			if (slot >= 0)
				assert_int_equal(0, atmost_leave(b));
		}
		assert_int_equal(0, atmost_leave(a));
	}
	atmost_close(pool);
}

static void k_limits_a_session_and_each_holder_has_a_slot(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_GROUP, .k = 2 };
	struct atmost_member *a, *b, *c;
	struct atmost *pool;

	(void)state;
	assert_int_equal(0, atmost_create(&pool, &shape));
	a = join(pool);
	b = join(pool);
	c = join(pool);
	assert_int_equal(0, enter(a, 7, 0));
	assert_int_equal(1, enter(b, 7, 0));
	assert_int_equal(ATMOST_EBUSY, enter(c, 7, ATMOST_TRY));
	assert_int_equal(0, atmost_leave(a));
	assert_int_equal(0, enter(c, 7, ATMOST_TRY));
	assert_int_equal(ATMOST_EINSIDE, enter(c, 7, 0));
	assert_int_equal(0, atmost_leave(b));
	assert_int_equal(0, atmost_leave(c));
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(c));
	assert_int_equal(0, enter(b, 8, ATMOST_TRY));
	atmost_close(pool);
}

static void a_passed_deadline_leaves_no_trace(void **state)
{
	struct atmost *pool = make_group(NULL, 0);
	struct atmost_member *a = join(pool), *b = join(pool);
	struct atmost_want want = { .session = 2 };
	struct timespec deadline;
	struct atmost_totals totals;

	(void)state;
	want.deadline = &deadline;
	assert_int_equal(0, enter(a, 1, 0));
	for (unsigned ms = 0; ms < 50; ms += 12) {
		deadline = clock_deadline(ms * 1000000);
		assert_int_equal(ATMOST_ETIMEDOUT, atmost_enter(b, &want));
		assert_int_equal(1, atmost_status(pool, NULL, 0, &totals));
		assert_int_equal(0, totals.waiters);
		/* The request that gave up does not block a new request. */
		assert_int_equal(1, enter(b, 1, ATMOST_TRY));
		assert_int_equal(0, atmost_leave(b));
	}
	assert_int_equal(0, atmost_leave(a));
	assert_int_equal(1, atmost_enter(b, &want));
	atmost_close(pool);
}

/* 256 is the largest possible number of members; all are inside at once. */
static void two_hundred_and_fifty_six_members_may_be_inside(void **state)
{
	enum { MOST = 256 };
	const struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = MOST,
	};
	struct atmost_member *member[MOST], *more;
	struct atmost_totals totals;
	struct atmost *pool;

	(void)state;
	assert_int_equal(0, atmost_create(&pool, &shape));
	for (unsigned i = 0; i < MOST; i++) {
		member[i] = join(pool);
		if (i < MOST - 1)
			assert_int_equal(i, enter(member[i], 5, ATMOST_TRY));
	}
	assert_int_equal(ATMOST_EFULL, atmost_join(pool, &more));
	assert_int_equal(ATMOST_EBUSY, enter(member[MOST - 1], 6, ATMOST_TRY));
	assert_int_equal(MOST - 1, enter(member[MOST - 1], 5, ATMOST_TRY));
	assert_int_equal(MOST, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(MOST, totals.holders);
	assert_int_equal(0, totals.k);
	for (unsigned i = 0; i < MOST; i++)
		assert_int_equal(0, atmost_leave(member[i]));
	assert_int_equal(0, enter(member[0], 6, ATMOST_TRY));
	atmost_close(pool);
}

static void a_session_beyond_the_last_is_refused(void **state)
{
	struct atmost *two = make_group("two-session", 0);
	struct atmost *five = make_group("session-tree", 5);
	struct atmost *many = make_group("danek-fife", 0);
	struct atmost *most = make_group("capture-cas", 0);
	struct atmost *three = make_group(NULL, 3);
	struct atmost_member *me = join(two), *second = join(five);
	struct atmost_member *third = join(many), *fourth = join(most);

	(void)state;
	assert_int_equal(ATMOST_ESESSION, enter(me, 3, 0));
	expect_detail("want.session is 3; the pool's sessions are 1 to 2");
	assert_int_equal(ATMOST_ESESSION, enter(join(three), 4, 0));
	expect_detail("want.session is 4; the pool\'s sessions are 1 to 3");
	assert_int_equal(ATMOST_ESESSION, enter(second, 6, 0));
	expect_detail("want.session is 6; the pool\'s sessions are 1 to 5");
	assert_int_equal(0, enter(second, 5, 0));
	assert_int_equal(ATMOST_ESESSION, enter(third, 65536, 0));
	assert_int_equal(0, enter(third, 65535, 0));
	assert_int_equal(ATMOST_ESESSION, enter(fourth, UINT64_C(1) << 32, 0));
	assert_int_equal(0, enter(fourth, UINT32_MAX, 0));
	atmost_close(three);
	atmost_close(two);
	atmost_close(five);
	atmost_close(many);
	atmost_close(most);
}

static void a_NULL_want_is_for_session_1(void **state)
{
	struct atmost *pool = make_group(NULL, 0);
	struct atmost_member *me = join(pool), *other = join(pool);

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_EBUSY, enter(other, 2, ATMOST_TRY));
	assert_int_equal(1, enter(other, 1, ATMOST_TRY));
	assert_int_equal(0, atmost_leave(me));
	assert_int_equal(0, atmost_leave(other));
	/* A NULL want asks for session 1 even after the member used another. */
	assert_int_equal(0, enter(me, 2, 0));
	assert_int_equal(0, atmost_leave(me));
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(1, enter(other, 1, ATMOST_TRY));
	atmost_close(pool);
}

static void capture_bounded_cannot_give_up(void **state)
{
	struct atmost *pool = make_group("capture-bounded", 0);
	struct atmost_member *me = join(pool);

	(void)state;
	assert_int_equal(ATMOST_ENOTABORTABLE, enter(me, 1, ATMOST_TRY));
	expect_detail("with capture-bounded a waiter cannot give up");
	assert_int_equal(0, enter(me, 1, 0));
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(members_of_one_session_enter_together_and_others_wait),
		TEST(session_0_is_no_session),
		TEST(any_64_bit_number_is_a_session),
		TEST(k_limits_a_session_and_each_holder_has_a_slot),
		TEST(a_passed_deadline_leaves_no_trace),
		TEST(two_hundred_and_fifty_six_members_may_be_inside),
		TEST(a_session_beyond_the_last_is_refused),
		TEST(a_NULL_want_is_for_session_1),
		TEST(capture_bounded_cannot_give_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
