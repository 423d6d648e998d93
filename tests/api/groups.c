/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Groups: members of one session inside together, never of two.
 */
#include "api.h"

static struct atmost *make_group(const char *algorithm, unsigned sessions)
{
	struct atmost_shape shape = {
		.kind = ATMOST_GROUP, .members = 4, .sessions = sessions,
		.algorithm = algorithm,
	};
	struct atmost *object = NULL;

	assert_int_equal(0, atmost_create(&object, &shape));
	return object;
}

static int enter(struct atmost_member *me, uint64_t session, unsigned flags)
{
	const struct atmost_want want = { .session = session, .flags = flags };

	return atmost_enter(me, &want);
}

static void one_session_shares_and_another_is_kept_out(void **state)
{
	static const char *const names[] = {
		NULL, "jayanti-gme", "danek-fcfs/tree-mutex", "capture-cas",
		"capture-rw/tree-mutex", "two-session", "session-tree",
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct atmost *object = make_group(names[i], 2);
		struct atmost_member *a = join(object), *b = join(object);
		struct atmost_member *c = join(object);

		assert_int_equal(0, enter(a, 1, 0));
		assert_int_equal(0, enter(b, 1, 0));
		assert_int_equal(ATMOST_EBUSY, enter(c, 2, ATMOST_TRY));
		assert_int_equal(0, atmost_leave(a));
		assert_int_equal(ATMOST_EBUSY, enter(c, 2, ATMOST_TRY));
		assert_int_equal(0, atmost_leave(b));
		assert_int_equal(0, enter(c, 2, ATMOST_TRY));
		assert_int_equal(ATMOST_EBUSY, enter(a, 1, ATMOST_TRY));
		assert_int_equal(0, enter(b, 2, 0));
		atmost_close(object);
	}
}

static void session_0_is_no_session(void **state)
{
	struct atmost *object = make_group("danek-fcfs", 0);
	struct atmost_member *me = join(object);

	(void)state;
	assert_int_equal(ATMOST_ESESSION, enter(me, 0, 0));
	expect_detail("want.session is 0");
	assert_int_equal(0, enter(me, UINT64_C(1) << 60, 0));
	atmost_close(object);
}

static void a_session_that_is_not_there_is_refused(void **state)
{
	struct atmost *two = make_group("two-session", 0);
	struct atmost *five = make_group("session-tree", 5);
	struct atmost *many = make_group("danek-fife", 0);
	struct atmost *most = make_group("capture-cas", 0);
	struct atmost_member *me = join(two), *he = join(five);
	struct atmost_member *she = join(many), *it = join(most);

	(void)state;
	assert_int_equal(ATMOST_ESESSION, enter(me, 3, 0));
	expect_detail("want.session is 3, the object's are 1 to 2");
	assert_int_equal(ATMOST_ESESSION, enter(he, 6, 0));
	expect_detail("want.session is 6, the object's are 1 to 5");
	assert_int_equal(0, enter(he, 5, 0));
	assert_int_equal(ATMOST_ESESSION, enter(she, 65536, 0));
	assert_int_equal(0, enter(she, 65535, 0));
	assert_int_equal(ATMOST_ESESSION, enter(it, UINT64_C(1) << 32, 0));
	assert_int_equal(0, enter(it, UINT32_MAX, 0));
	atmost_close(two);
	atmost_close(five);
	atmost_close(many);
	atmost_close(most);
}

static void no_want_at_all_asks_for_session_1(void **state)
{
	struct atmost *object = make_group(NULL, 0);
	struct atmost_member *me = join(object), *he = join(object);

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_EBUSY, enter(he, 2, ATMOST_TRY));
	assert_int_equal(0, enter(he, 1, ATMOST_TRY));
	atmost_close(object);
}

static void capture_bounded_cannot_give_up(void **state)
{
	struct atmost *object = make_group("capture-bounded", 0);
	struct atmost_member *me = join(object);

	(void)state;
	assert_int_equal(ATMOST_ENOTABORTABLE, enter(me, 1, ATMOST_TRY));
	expect_detail("capture-bounded cannot give up waiting");
	assert_int_equal(0, enter(me, 1, 0));
	atmost_close(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_session_shares_and_another_is_kept_out),
		TEST(session_0_is_no_session),
		TEST(a_session_that_is_not_there_is_refused),
		TEST(no_want_at_all_asks_for_session_1),
		TEST(capture_bounded_cannot_give_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
