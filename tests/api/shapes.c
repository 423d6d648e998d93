/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the creation of pools: possible shapes, and the messages about
 * impossible shapes.
 */
#include "api.h"

static void every_kind_has_a_default_algorithm(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_MUTEX };
	struct atmost *pool;

	(void)state;
	assert_int_equal(0, atmost_create(&pool, &shape));
	atmost_close(pool);
	shape = (struct atmost_shape){ .kind = ATMOST_EXCLUSION, .k = 7 };
	assert_int_equal(0, atmost_create(&pool, &shape));
	atmost_close(pool);
	shape = (struct atmost_shape){ .kind = ATMOST_ASSIGNMENT, .k = 7 };
	assert_int_equal(0, atmost_create(&pool, &shape));
	atmost_close(pool);
	shape = (struct atmost_shape){ .kind = ATMOST_GROUP };
	assert_int_equal(0, atmost_create(&pool, &shape));
	assert_int_equal(0, atmost_inspect(pool, &shape));
	assert_string_equal("hall", shape.algorithm);
	assert_int_equal(0, shape.k);
	assert_int_equal(64, shape.k_max);
	assert_int_equal(64, shape.members);
	atmost_close(pool);
}

static void the_field_of_an_impossible_shape_is_named(void **state)
{
	static const struct {
		struct atmost_shape shape;
		int error;
		const char *detail;
	} bad[] = {
		{ { .kind = (enum atmost_kind)9, .k = 1 },
		  ATMOST_ESHAPE,
		  "kind is 9" },
		{ { .kind = ATMOST_EXCLUSION }, ATMOST_ESHAPE, "k is 0" },
		{ { .kind = ATMOST_MUTEX, .k = 2 }, ATMOST_ESHAPE, "k is 2" },
		{ { .kind = ATMOST_EXCLUSION, .k = 3, .k_max = 2 },
		  ATMOST_ESHAPE,
		  "k_max is 2" },
		{ { .kind = ATMOST_EXCLUSION, .k = 1, .sessions = 2 },
		  ATMOST_ESHAPE,
		  "sessions is 2" },
		{ { .kind = ATMOST_EXCLUSION, .k = 1, .members = 1000000 },
		  ATMOST_ESHAPE,
		  "members is 1000000" },
		{ { .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "bakery" },
		  ATMOST_ESHAPE,
		  "bakery: k is 2; it must be at most 1" },
		{ { .kind = ATMOST_MUTEX,
		    .members = 1,
		    .algorithm = "dijkstra" },
		  ATMOST_ESHAPE,
		  "dijkstra: members is 1; it must be at least 2" },
		{ { .kind = ATMOST_ASSIGNMENT,
		    .k = 1,
		    .algorithm = "renaming/bakery" },
		  ATMOST_EALGORITHM,
		  "bakery cannot be the component of renaming" },
		{ { .kind = ATMOST_ASSIGNMENT,
		    .k = 1,
		    .algorithm = "renaming/am-queue" },
		  ATMOST_EALGORITHM,
		  "checker only" },
		{ { .kind = ATMOST_EXCLUSION,
		    .k = 1,
		    .algorithm = "k-ticket/bakery" },
		  ATMOST_EALGORITHM,
		  "k-ticket takes no component" },
		{ { .kind = ATMOST_GROUP, .k = 2, .algorithm = "danek-fife" },
		  ATMOST_ESHAPE,
		  "danek-fife: k is 2" },
		{ { .kind = ATMOST_GROUP, .members = 4097 },
		  ATMOST_ESHAPE,
		  "hall: members is 4097; it must be at most 4096" },
		{ { .kind = ATMOST_GROUP, .k = 2, .members = 257 },
		  ATMOST_ESHAPE,
		  "room: members is 257; it must be at most 256" },
		{ { .kind = ATMOST_GROUP, .k = 2, .algorithm = "hall" },
		  ATMOST_ESHAPE,
		  "hall: k is 2, but it must be 0" },
		{ { .kind = ATMOST_GROUP, .k_max = 8, .algorithm = "hall" },
		  ATMOST_ESHAPE,
		  "hall: k_max is 8, but it must be at least members, 64" },
		{ { .kind = ATMOST_GROUP, .k_max = 65, .algorithm = "hall" },
		  ATMOST_ESHAPE,
		  "hall: k_max is 65; it must be at most members, 64" },
		{ { .kind = ATMOST_GROUP, .k = 257 },
		  ATMOST_ESHAPE,
		  "room: k is 257; it must be at most 256" },
		{ { .kind = ATMOST_GROUP, .k = 2, .k_max = 257 },
		  ATMOST_ESHAPE,
		  "room: k_max is 257; it must be at most 256" },
		{ { .kind = ATMOST_GROUP, .k = 3, .k_max = 2 },
		  ATMOST_ESHAPE,
		  "k_max is 2, less than k, which is 3" },
		{ { .kind = ATMOST_GROUP, .members = 9, .k_max = 8 },
		  ATMOST_ESHAPE,
		  "k_max is 8, but it must be at least members, 9" },
		{ { .kind = ATMOST_GROUP, .algorithm = "room/roster" },
		  ATMOST_EALGORITHM,
		  "roster cannot be the component of room" },
		{ { .kind = ATMOST_GROUP, .algorithm = "room/atomic-object" },
		  ATMOST_EALGORITHM,
		  "checker only" },
		{ { .kind = ATMOST_ASSIGNMENT, .k = 1, .algorithm = "room" },
		  ATMOST_EALGORITHM,
		  "room is for group-exclusion" },
		{ { .kind = ATMOST_GROUP,
		    .sessions = 3,
		    .algorithm = "two-session" },
		  ATMOST_ESHAPE,
		  "two-session: sessions is 3; it must be at most 2" },
		{ { .kind = ATMOST_GROUP, .algorithm = "session-tree" },
		  ATMOST_ESHAPE,
		  "session-tree: sessions is 0; it must be at least 1" },
		{ { .kind = ATMOST_GROUP,
		    .algorithm = "jayanti-gme/queue-mutex" },
		  ATMOST_EALGORITHM,
		  "checker only" },
		{ { .kind = ATMOST_ASSIGNMENT,
		    .k = 1,
		    .algorithm = "k-ticket" },
		  ATMOST_EALGORITHM,
		  "k-ticket is for k-exclusion" },
		{ { .kind = ATMOST_MUTEX, .algorithm = "queue-mutex" },
		  ATMOST_EALGORITHM,
		  "checker only" },
		{ { .kind = ATMOST_MUTEX,
		    .members = 65535,
		    .algorithm = "tree-mutex" },
		  ATMOST_ESHAPE,
		  "members is 65535; it must be at most 65534" },
		{ { .kind = ATMOST_MUTEX,
		    .algorithm = "bakery-mutex/k-ticket" },
		  ATMOST_EALGORITHM,
		  "k-ticket cannot be the component of bakery-mutex" },
	};
	struct atmost *pool = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(bad[i].error,
				 atmost_create(&pool, &bad[i].shape));
		expect_detail(bad[i].detail);
		assert_null(pool);
	}
	assert_int_equal(ATMOST_ESHAPE, atmost_create(&pool, NULL));
}

static void for_an_unknown_algorithm_the_nearest_name_is_suggested(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_MUTEX };
	struct atmost *pool;
	char long_name[1000];

	(void)state;
	shape.algorithm = "k-tiket";
	assert_int_equal(ATMOST_EALGORITHM, atmost_create(&pool, &shape));
	expect_detail("'k-tiket'; did you mean k-ticket?");
	shape.algorithm = "am_induktion";
	assert_int_equal(ATMOST_EALGORITHM, atmost_create(&pool, &shape));
	expect_detail("did you mean am-induction?");
	memset(long_name, 'x', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	shape.algorithm = long_name;
	assert_int_equal(ATMOST_EALGORITHM, atmost_create(&pool, &shape));
	assert_null(strstr(atmost_detail(), "did you mean"));
}

static void a_pool_that_does_not_fit_in_memory_is_refused(void **state)
{
	struct atmost_shape shape = {
		.kind = ATMOST_MUTEX,
		.members = 65535,
		.algorithm = "k-bakery",
	};
	struct atmost *pool;

	(void)state;
	assert_int_equal(ATMOST_ENOMEM, atmost_create(&pool, &shape));
}

static void every_error_has_a_message_of_its_own(void **state)
{
#define CODE(name, code, message) code,
	static const int codes[] = { ATMOST_ERRORS(CODE) };
#undef CODE
	size_t count = sizeof codes / sizeof *codes;

	(void)state;
	assert_int_equal(28, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(codes[i] < 0);
		assert_string_not_equal(atmost_strerror(codes[i]),
					atmost_strerror(-1000));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(atmost_strerror(codes[i]),
						atmost_strerror(codes[j]));
	}
	assert_string_equal("no error", atmost_strerror(0));
	assert_string_equal(ATMOST_VERSION, atmost_version());
}

static void every_kind_has_a_name(void **state)
{
	(void)state;
	assert_string_equal("mutex", atmost_kind_name(ATMOST_MUTEX));
	assert_string_equal("group", atmost_kind_name(ATMOST_GROUP));
	assert_string_equal("object", atmost_kind_name(ATMOST_OBJECT));
	assert_string_equal("unknown", atmost_kind_name((enum atmost_kind)9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_kind_has_a_default_algorithm),
		TEST(the_field_of_an_impossible_shape_is_named),
		TEST(for_an_unknown_algorithm_the_nearest_name_is_suggested),
		TEST(a_pool_that_does_not_fit_in_memory_is_refused),
		TEST(every_error_has_a_message_of_its_own),
		TEST(every_kind_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
