/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests slot names: which names are possible, and which names match those of an
 * existing pool.
 */
#include "folder.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#define LETTERS_64 \
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789AB"

enum { TEXT_MOST = 65535 };

static struct atmost_shape named(const char *names)
{
	return (struct atmost_shape){
		.kind = ATMOST_ASSIGNMENT,
		.members = 4,
		.names = names,
	};
}

static struct atmost_shape inspect(struct atmost *pool)
{
	struct atmost_shape shape;

	assert_int_equal(0, atmost_inspect(pool, &shape));
	return shape;
}

static void expect_names(struct atmost *pool, const char *names)
{
	assert_string_equal(names, inspect(pool).names);
}

/*
 * Expects that neither atmost_create nor atmost_open makes a pool of this
 * shape.
 */
static void expect_impossible(struct atmost_shape shape, const char *detail)
{
	struct atmost *pool = NULL;

	assert_int_equal(ATMOST_ESHAPE, atmost_create(&pool, &shape));
	expect_detail(detail);
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, "pool", &shape));
	expect_detail(detail);
	assert_null(pool);
	assert_int_equal(0, folder_count());
}

static void impossible_names_are_refused_and_the_reason_is_told(void **state)
{
	static const struct {
		const char *names, *detail;
	} bad[] = {
		{ "", "the name of slot 0 is empty" },
		{ ",a", "the name of slot 0 is empty" },
		{ "a,", "the name of slot 1 is empty" },
		{ "a,b,,c", "the name of slot 2 is empty" },
		{ "a,b\nc", "the name of slot 1 has the control byte 0x0a" },
		{ "a\x1f", "the name of slot 0 has the control byte 0x1f" },
		{ "a,b,\x7f", "the name of slot 2 has the control byte 0x7f" },
		{ "a," LETTERS_64 "x",
		  "the name of slot 1 has 65 bytes; it must have at most 64" },
		{ "b,a,c,ab,a", "two slots have the name \"a\"" },
		{ LETTERS_64 "," LETTERS_64,
		  "two slots have the name \"" LETTERS_64 "\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		expect_impossible(named(bad[i].names), bad[i].detail);
}

static void only_an_assignment_pool_can_have_names(void **state)
{
	static const enum atmost_kind kinds[] = { ATMOST_MUTEX,
						  ATMOST_EXCLUSION,
						  ATMOST_GROUP };
	struct atmost_shape shape = named("a");
	char detail[64];
	struct atmost *pool;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		shape.kind = kinds[i];
		snprintf(detail, sizeof detail,
			 "kind is %s, but only an assignment",
			 atmost_kind_name(kinds[i]));
		expect_impossible(shape, detail);
	}
	for (unsigned i = 0; i < 3; i++) {
		shape = (struct atmost_shape){ .kind = kinds[i], .k = 1 };
		assert_int_equal(0, atmost_open(&pool, "pool", &shape));
		assert_null(inspect(pool).names);
		shape.names = "a";
		assert_int_equal(ATMOST_ESHAPE,
				 atmost_open(&pool, "pool", &shape));
		expect_detail("only an assignment pool");
		atmost_close(pool);
		assert_int_equal(0, atmost_unlink("pool"));
	}
}

static void the_names_set_k_max_and_limit_k(void **state)
{
	struct atmost_shape shape = named("gpu 0,\xc3\xa4,c"), there;
	struct atmost *pool;

	(void)state;
	for (unsigned k = 0; k <= 3; k++)
		for (unsigned k_max = 0; k_max <= 3; k_max += 3) {
			shape.k = k;
			shape.k_max = k_max;
			assert_int_equal(0, atmost_create(&pool, &shape));
			there = inspect(pool);
			assert_int_equal(k ? k : 3, there.k);
			assert_int_equal(3, there.k_max);
			assert_string_equal(shape.names, there.names);
			/* The pool has a copy of the text. */
			assert_ptr_not_equal(shape.names, there.names);
			atmost_close(pool);
		}
	shape.k = 4;
	shape.k_max = 0;
	expect_impossible(shape, "k is 4, but there are only 3 slot names");
	shape.k = 2;
	shape.k_max = 2;
	expect_impossible(shape, "k_max is 2, but there are 3 slot names");
	shape.k_max = 4;
	expect_impossible(shape, "k_max is 4, but there are 3 slot names");
	/* If the algorithm cannot be resized, k must be the number of names. */
	shape.algorithm = "renaming/k-bakery";
	shape.k_max = 0;
	expect_impossible(shape, "cannot be resized");
	shape.k = 0;
	assert_int_equal(0, atmost_create(&pool, &shape));
	assert_int_equal(3, inspect(pool).k);
	atmost_close(pool);
}

/* A text of `length` bytes, in names of 64 bytes and one shorter name. */
static char *long_text(size_t length)
{
	char *text = malloc(length + 1);

	assert_non_null(text);
	memset(text, 'x', length);
	text[length] = '\0';
	for (size_t at = 0; at + 64 < length; at += 65) {
		char number[32];

		snprintf(number, sizeof number, "%04zu", at / 65);
		memcpy(text + at, number, 4);
		text[at + 64] = ',';
	}
	return text;
}

static void a_text_may_have_65535_bytes(void **state)
{
	char *text = long_text(TEXT_MOST), *longer = long_text(TEXT_MOST + 1);
	struct atmost *pool;

	(void)state;
	expect_impossible(named(longer), "more than 65535 bytes");
	pool = open_with_names("pool", text);
	assert_int_equal(1009, inspect(pool).k_max);
	atmost_close(pool);
	pool = open_with_names("pool", NULL);
	expect_names(pool, text);
	atmost_close(pool);
	free(text);
	free(longer);
}

static void more_names_than_the_algorithm_has_slots_are_refused(void **state)
{
	char text[5 * 1025 + 1];

	(void)state;
	for (unsigned i = 0; i < 1025; i++)
		snprintf(text + 5 * i, 6, "%04u,", i);
	text[5 * 1025 - 1] = '\0';
	expect_impossible(named(text), "k is 1025; it must be at most 1024");
}

static void names_match_in_any_order_and_keep_the_order_of_the_pool(
	void **state)
{
	static const char *const same[] = { "one,two,three", "three,two,one",
					    "two,one,three", NULL };
	struct atmost *first = open_with_names("pool", "one,two,three"), *again;

	(void)state;
	expect_names(first, "one,two,three");
	for (unsigned i = 0; i < 4; i++) {
		again = open_with_names("pool", same[i]);
		expect_names(again, "one,two,three");
		atmost_close(again);
	}
	assert_int_equal(0, atmost_open(&again, "pool", NULL));
	expect_names(again, "one,two,three");
	atmost_close(again);
	atmost_close(first);
}

static void expect_other_names(const char *names, const char *detail)
{
	const struct atmost_shape shape = named(names);
	struct atmost *pool = NULL;

	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, "pool", &shape));
	expect_detail(detail);
	assert_null(pool);
}

static void other_names_are_refused_and_the_names_of_the_pool_shown(
	void **state)
{
	/* Sorted, the names of the pool are one, three, two. */
	static const char *const other[] = {
		"one",          "one,three",          "one,three,two,two0",
		"one,two",      "one,two,three,four", "one,two,four",
		"one,two,thre", "One,two,three"
	};

	(void)state;
	atmost_close(open_with_names("pool", "one,two,three"));
	for (unsigned i = 0; i < sizeof other / sizeof *other; i++) {
		expect_other_names(other[i], "pool: the slot names differ");
		expect_detail("the pool's names: one,two,three");
	}
	expect_other_names("one,two,two", "two slots have the name \"two\"");
	expect_other_names("one,two,", "the name of slot 2 is empty");
}

static void a_pool_without_names_matches_no_names(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT,
				      .k = 2,
				      .members = 4 };
	struct atmost *pool;

	(void)state;
	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	assert_null(inspect(pool).names);
	expect_other_names("one,two", "pool: the slots have no names");
	atmost_close(pool);
}

/* The message contains only whole names. */
static void of_long_names_the_message_shows_the_first(void **state)
{
	char *text = long_text(TEXT_MOST), *detail;

	(void)state;
	atmost_close(open_with_names("pool", text));
	expect_other_names("one", "the pool's names: 0000xxx");
	detail = strstr(atmost_detail(), "names: 0000") + strlen("names: ");
	assert_memory_equal(text, detail, 3 * 65);
	assert_string_equal("...", detail + 3 * 65);
	free(text);
}

static void a_shape_with_names_may_have_the_first_k_or_the_present_k(
	void **state)
{
	struct atmost_shape shape = named("a,b,c,d,e");
	struct atmost *pool, *again;

	(void)state;
	shape.k = 2;
	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	assert_int_equal(0, atmost_resize(pool, 4));
	for (unsigned k = 0; k <= 6; k++) {
		bool fits = k == 0 || k == 2 || k == 4;

		shape.k = k;
		assert_int_equal(fits ? 0 : ATMOST_ESHAPE,
				 atmost_open(&again, "pool", &shape));
		if (fits)
			atmost_close(again);
		else
			expect_detail("k is 4, but");
	}
	shape.k = 0;
	shape.k_max = 6;
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&again, "pool", &shape));
	expect_detail("k_max is 5, but 6");
	atmost_close(pool);
}

static void a_pool_cannot_grow_beyond_its_names(void **state)
{
	struct atmost_shape shape = named("a,b,c");
	struct atmost *pool;

	(void)state;
	shape.k = 1;
	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, 4));
	expect_detail("the pool has only 3 slot names");
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, 0));
	assert_int_equal(1, inspect(pool).k);
	assert_int_equal(0, atmost_resize(pool, 3));
	for (int slot = 0; slot < 3; slot++)
		assert_int_equal(slot, atmost_enter(join(pool), &try));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(join(pool), &try));
	expect_names(pool, "a,b,c");
	atmost_close(pool);
}

static void after_a_reboot_the_pool_has_its_names(void **state)
{
	const uint64_t other[2] = { 1, 2 };
	struct stat before, after;
	struct atmost *pool;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		atmost_close(open_with_names("pool", "one,two,three"));
		assert_int_equal(0, stat(folder_file("pool"), &before));
		file_patch("pool", AT_BOOT, other, sizeof other);
		file_sign("pool");
		pool = open_with_names("pool", i ? "three,one,two" : NULL);
		assert_int_equal(0, stat(folder_file("pool"), &after));
		assert_int_not_equal(before.st_ino, after.st_ino);
		expect_names(pool, "one,two,three");
		atmost_close(pool);
		pool = open_with_names("pool", NULL); /* the new file */
		expect_names(pool, "one,two,three");
		atmost_close(pool);
		assert_int_equal(0, atmost_unlink("pool"));
	}
}

static void names_in_use_do_not_change_with_the_file(void **state)
{
	struct atmost *pool = open_with_names("pool", "one,two,three");

	(void)state;
	file_patch("pool", AT_NAMES, "\n\n\n\n\n", 5);
	expect_names(pool, "one,two,three");
	atmost_close(pool);
}

static void names_cost_memory_only_in_a_pool_that_has_them(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT,
				      .k = 64,
				      .members = 1024 };
	struct stat without, with;
	char text[64 * 8 + 1];
	struct atmost *pool;

	(void)state;
	for (unsigned i = 0; i < 64; i++)
		snprintf(text + 8 * i, 9, "slot-%02u,", i);
	text[64 * 8 - 1] = '\0';
	assert_int_equal(0, atmost_open(&pool, "without", &shape));
	assert_int_equal(0, stat(folder_file("without"), &without));
	atmost_close(pool);
	shape.names = text;
	assert_int_equal(0, atmost_open(&pool, "with", &shape));
	assert_int_equal(0, stat(folder_file("with"), &with));
	atmost_close(pool);
	assert_int_equal(64 * 8, with.st_size - without.st_size);
	assert_in_range(with.st_blocks * 512, 4096, 32 * 1024);
	assert_in_range(without.st_blocks * 512, 4096, with.st_blocks * 512);
	print_message("without names: %jd bytes, with 64 names: %jd bytes\n",
		      (intmax_t)without.st_blocks * 512,
		      (intmax_t)with.st_blocks * 512);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(
			impossible_names_are_refused_and_the_reason_is_told),
		TEST_IN_FOLDER(only_an_assignment_pool_can_have_names),
		TEST_IN_FOLDER(the_names_set_k_max_and_limit_k),
		TEST_IN_FOLDER(a_text_may_have_65535_bytes),
		TEST_IN_FOLDER(
			more_names_than_the_algorithm_has_slots_are_refused),
		TEST_IN_FOLDER(
			names_match_in_any_order_and_keep_the_order_of_the_pool),
		TEST_IN_FOLDER(
			other_names_are_refused_and_the_names_of_the_pool_shown),
		TEST_IN_FOLDER(a_pool_without_names_matches_no_names),
		TEST_IN_FOLDER(of_long_names_the_message_shows_the_first),
		TEST_IN_FOLDER(
			a_shape_with_names_may_have_the_first_k_or_the_present_k),
		TEST_IN_FOLDER(a_pool_cannot_grow_beyond_its_names),
		TEST_IN_FOLDER(after_a_reboot_the_pool_has_its_names),
		TEST_IN_FOLDER(names_in_use_do_not_change_with_the_file),
		TEST_IN_FOLDER(names_cost_memory_only_in_a_pool_that_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
