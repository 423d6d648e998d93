/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests damage to the slot names in a pool's file: a process that opens the
 * pool gets an error, or names that are possible.
 */
#include "folder.h"

#include <stdint.h>
#include <unistd.h>

enum { TEXT_MOST = 65535 };

static int open_result(void)
{
	struct atmost *pool;
	int error = atmost_open(&pool, "pool", NULL);

	if (!error)
		atmost_close(pool);
	return error;
}

static void expect_damage(const char *detail)
{
	assert_int_equal(ATMOST_ECORRUPT, open_result());
	expect_detail(detail);
	expect_detail("pool.pool is damaged: ");
	expect_detail("remove the pool when no process uses it");
}

static void every_byte_of_the_names_is_checked(void **state)
{
	static const char names[] = "one,two,three";

	(void)state;
	atmost_close(open_with_names("pool", names));
	for (size_t i = 0; i < sizeof names - 1; i++)
		for (unsigned flip = 1; flip < 256; flip++) {
			char wrong = (char)((unsigned char)names[i] ^ flip);

			file_patch("pool", AT_NAMES + (long)i, &wrong, 1);
			expect_damage("wrong checksum");
			file_patch("pool", AT_NAMES + (long)i, &names[i], 1);
		}
	assert_int_equal(0, open_result());
}

/*
 * Returns whether the text is possible as the names of three slots.  The test
 * does not rely on the library's own check.
 */
static bool are_possible(const char *text, size_t length)
{
	const char *name[4] = { text };
	unsigned count = 1;

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			return false;
		if (text[i] == ',' && count == 3)
			return false;
		if (text[i] == ',')
			name[count++] = text + i + 1;
	}
	name[count] = text + length + 1;
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j <= i; j++) {
			ptrdiff_t size = name[i + 1] - name[i];

			if (size == 1)
				return false;
			if (i != j && size == name[j + 1] - name[j] &&
			    memcmp(name[i], name[j], (size_t)size - 1) == 0)
				return false;
		}
	return count == 3;
}

/*
 * An attacker can make the checksum right.  The library opens a pool whose
 * names are possible, even if they are wrong.
 */
static void impossible_names_with_a_right_checksum_are_damage(void **state)
{
	char text[] = "a,b,cc";
	const size_t length = sizeof text - 1;
	unsigned opened = 0;

	(void)state;
	atmost_close(open_with_names("pool", text));
	for (size_t i = 0; i < length; i++) {
		char right = text[i];

		for (unsigned byte = 0; byte < 256; byte++) {
			int wanted;

			text[i] = (char)byte;
			wanted = are_possible(text, length) ? 0
							    : ATMOST_ECORRUPT;
			file_patch("pool", AT_NAMES, text, length);
			file_sign("pool");
			if (open_result() != wanted)
				fail_msg("byte %zu is %u: not %d", i, byte,
					 wanted);
			opened += wanted == 0;
		}
		text[i] = right;
	}
	assert_in_range(opened, 100, 4 * 256);
}

static void patch_number(long at, uint32_t value)
{
	file_patch("pool", at, &value, sizeof value);
	file_sign("pool");
}

static void the_reason_of_the_damage_is_told(void **state)
{
	static const struct {
		const char *names, *detail;
	} damage[] = {
		{ "a,b,b", "two slots have the name \"b\"" },
		{ "a,b,\n", "the name of slot 2 has the control byte 0x0a" },
		{ "a,b,\0", "a slot name has the control byte 0x00" },
		{ "a,,,b", "the name of slot 1 is empty" },
		{ "a,bcd", "k is 3, but there are only 2 slot names" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		atmost_close(open_with_names("pool", "a,b,c"));
		file_patch("pool", AT_NAMES, damage[i].names, 5);
		file_sign("pool");
		expect_damage(damage[i].detail);
		assert_int_equal(0, atmost_unlink("pool"));
	}
}

static void names_that_do_not_fit_the_header_are_damage(void **state)
{
	static const uint32_t lengths[] = { 0,     1,        4,         6,
					    64,    3000,     65535,     65536,
					    70000, 1u << 31, UINT32_MAX };
	static const uint32_t numbers[] = { 0, 2, 4, UINT32_MAX };

	(void)state;
	atmost_close(open_with_names("pool", "a,b,c"));
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		/* file_sign would allocate as many bytes as the header says. */
		if (lengths[i] > TEXT_MOST)
			file_patch("pool", AT_NAMES_LENGTH, &lengths[i], 4);
		else
			patch_number(AT_NAMES_LENGTH, lengths[i]);
		assert_int_equal(ATMOST_ECORRUPT, open_result());
	}
	patch_number(AT_NAMES_LENGTH, 5);
	for (unsigned i = 0; i < 4; i++) {
		patch_number(AT_K_MAX, numbers[i]);
		assert_int_equal(ATMOST_ECORRUPT, open_result());
	}
	patch_number(AT_K_MAX, 3);
	patch_number(AT_K, 0);
	expect_damage("k is 0");
	patch_number(AT_K, 4);
	assert_int_equal(ATMOST_ECORRUPT, open_result());
	patch_number(AT_K, 3);
	patch_number(AT_KIND, ATMOST_EXCLUSION);
	expect_damage("only an assignment pool can have slot names");
	patch_number(AT_KIND, ATMOST_ASSIGNMENT);
	assert_int_equal(0, open_result());
}

/* The slot names fill several pages of the file. */
static void a_file_that_ends_within_its_names_is_refused(void **state)
{
	enum { COUNT = 1000, EACH = 20 };
	char text[COUNT * EACH + 1];

	(void)state;
	for (unsigned i = 0; i < COUNT; i++)
		snprintf(text + EACH * i, EACH + 1, "%019u,", i);
	text[COUNT * EACH - 1] = '\0';
	atmost_close(open_with_names("pool", text));
	for (off_t size = AT_NAMES + COUNT * EACH - 2; size > 512; size -= 9) {
		assert_int_equal(0, truncate(folder_file("pool"), size));
		expect_damage("its slot names have 19999 bytes");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(every_byte_of_the_names_is_checked),
		TEST_IN_FOLDER(
			impossible_names_with_a_right_checksum_are_damage),
		TEST_IN_FOLDER(the_reason_of_the_damage_is_told),
		TEST_IN_FOLDER(names_that_do_not_fit_the_header_are_damage),
		TEST_IN_FOLDER(a_file_that_ends_within_its_names_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
