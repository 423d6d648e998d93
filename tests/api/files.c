/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests files that are not pools, and damaged pools. */
#include "folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const struct atmost_shape shape = {
	.kind = ATMOST_EXCLUSION,
	.k = 2,
	.members = 4,
	.algorithm = "k-ticket",
};

static int lowest_descriptor(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

/* Opens the file with and without a shape.  The library must refuse the
 * file, must not change or remove it, and must close it. */
static void expect_refused(int error, const char *detail)
{
	const int lowest = lowest_descriptor();
	struct atmost *pool = NULL;
	struct stat before, after;

	assert_int_equal(0, lstat(folder_file("pool"), &before));
	assert_int_equal(error, atmost_open(&pool, "pool", &shape));
	expect_detail(detail);
	assert_int_equal(error, atmost_open(&pool, "pool", NULL));
	expect_detail(detail);
	assert_null(pool);
	assert_int_equal(lowest, lowest_descriptor());
	assert_int_equal(0, lstat(folder_file("pool"), &after));
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_size, after.st_size);
}

static void make_pool(void)
{
	atmost_unlink("pool");
	atmost_close(open_pool("pool", "k-ticket", 2, 4));
}

static void a_link_is_not_followed(void **state)
{
	char target[256];

	(void)state;
	atmost_close(open_pool("other", "k-ticket", 2, 4));
	snprintf(target, sizeof target, "%s", folder_file("other"));
	assert_int_equal(0, symlink(target, folder_file("pool")));
	expect_refused(ATMOST_EPERMISSION, "symbolic link");
	assert_int_equal(0, atmost_unlink("pool"));
	assert_int_equal(0, symlink("nowhere", folder_file("pool")));
	expect_refused(ATMOST_EPERMISSION, "symbolic link");
}

static void bind_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	assert_int_equal(0,
			 bind(fd, (struct sockaddr *)&address, sizeof address));
	close(fd);
}

static void only_a_plain_file_is_a_pool(void **state)
{
	(void)state;
	assert_int_equal(0, mkfifo(folder_file("pool"), 0600));
	expect_refused(ATMOST_ECORRUPT, "plain file");
	assert_int_equal(0, unlink(folder_file("pool")));
	assert_int_equal(0, mkdir(folder_file("pool"), 0700));
	expect_refused(ATMOST_ECORRUPT, "plain file");
	assert_int_equal(0, rmdir(folder_file("pool")));
	bind_socket(folder_file("pool"));
	expect_refused(ATMOST_ECORRUPT, "plain file");
}

static void a_file_open_to_others_is_refused(void **state)
{
	static const mode_t bad[] = { 0644, 0660, 0606, 0604, 0777, 0610 };

	(void)state;
	make_pool();
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(0, chmod(folder_file("pool"), bad[i]));
		expect_refused(ATMOST_EPERMISSION, "600");
	}
	assert_int_equal(0, chmod(folder_file("pool"), 0600));
	atmost_close(open_pool("pool", NULL, 0, 0));
}

static void a_file_of_the_wrong_size_is_damaged(void **state)
{
	struct stat status;
	off_t size;

	(void)state;
	make_pool();
	assert_int_equal(0, stat(folder_file("pool"), &status));
	size = status.st_size;
	const off_t sizes[] = { 0,           1,          8,        511,
				512,         4096,       size - 1, size + 1,
				size + 4096, size * 1000 };
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		make_pool();
		if (sizes[i] == size)
			continue;
		assert_int_equal(0, truncate(folder_file("pool"), sizes[i]));
		expect_refused(ATMOST_ECORRUPT, "bytes");
	}
}

static void a_file_of_garbage_is_no_pool(void **state)
{
	char garbage[4096];

	(void)state;
	make_pool();
	memset(garbage, 0, sizeof garbage);
	file_patch("pool", 0, garbage, 512);
	expect_refused(ATMOST_ECORRUPT, "not a pool");
	for (unsigned i = 0; i < sizeof garbage; i++)
		garbage[i] = (char)(i * 2654435761u >> 7);
	make_pool();
	file_patch("pool", 0, garbage, 512);
	expect_refused(ATMOST_ECORRUPT, "not a pool");
}

static void every_byte_of_the_header_is_checked(void **state)
{
	(void)state;
	make_pool();
	for (long at = 0; at < AT_FIXED_END; at++) {
		unsigned char right, wrong;
		struct atmost *pool = NULL;
		int error;

		file_read("pool", at, &right, 1);
		wrong = right ^ 0x40;
		file_patch("pool", at, &wrong, 1);
		error = atmost_open(&pool, "pool", NULL);
		if (error != ATMOST_ECORRUPT && error != ATMOST_EFORMAT)
			fail_msg("byte %ld: %d", at, error);
		file_patch("pool", at, &right, 1);
	}
	atmost_close(open_pool("pool", NULL, 0, 0));
}

static void another_format_or_C_library_is_recognized(void **state)
{
	const uint32_t format = 77;

	(void)state;
	make_pool();
	file_patch("pool", AT_FORMAT, &format, sizeof format);
	expect_refused(ATMOST_EFORMAT, "format 77");
	file_sign("pool");
	expect_refused(ATMOST_EFORMAT, "format 77");
	make_pool();
	file_patch("pool", AT_ABI, "musl", 5);
	file_sign("pool");
	expect_refused(ATMOST_EFORMAT, "musl");
	make_pool();
	/* The longest name, without a terminating zero. */
	file_patch("pool", AT_ABI, "0123456789abcdef0123456789abcdef", 32);
	file_sign("pool");
	expect_refused(ATMOST_EFORMAT, "abcdef\"");
}

/* Expects that a header with this value is refused even if its checksum is
 * right. */
static void expect_impossible(long at, uint32_t value, int error)
{
	make_pool();
	file_patch("pool", at, &value, sizeof value);
	file_sign("pool");
	expect_refused(error, "");
}

static void a_header_with_a_right_checksum_is_checked_too(void **state)
{
	static const uint32_t odd[] = { 0, 5, 1000, 65536, UINT32_MAX };
	char endless[96];

	(void)state;
	make_pool();
	file_patch("pool", AT_ALGORITHM, "k-tickle", 9);
	file_sign("pool");
	expect_refused(ATMOST_EALGORITHM, "k-ticket");
	make_pool();
	memset(endless, 'k', sizeof endless);
	file_patch("pool", AT_ALGORITHM, endless, sizeof endless);
	file_sign("pool");
	expect_refused(ATMOST_ECORRUPT, "has no end");
	for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++)
		expect_impossible(AT_MEMBERS, odd[i], ATMOST_ECORRUPT);
	expect_impossible(AT_K, 0, ATMOST_ECORRUPT);
	expect_impossible(AT_KIND, 4, ATMOST_ECORRUPT);
	expect_impossible(AT_KIND, UINT32_MAX, ATMOST_ECORRUPT);
	expect_impossible(AT_SIZE, 0, ATMOST_ECORRUPT);
}

/* If no member holds a damaged lock, the library initializes the lock anew.  If
 * a member holds it, the library leaves the lock alone and does not use that
 * member's id again. */
static void a_damaged_life_lock_is_not_released(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 9);
	const uint32_t kinds[] = { 0, 2, 32, 64, 0x80, UINT32_MAX };
	struct atmost_member *me;

	(void)state;
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		me = join(pool);
		assert_int_equal(0, atmost_enter(me, NULL));
		file_patch("pool", file_record("pool", getpid()) + LIFE_KIND,
			   &kinds[i], 4);
		assert_int_equal(0, atmost_leave(me));
		atmost_part(me);
	}
	for (unsigned i = 0; i < 9 - sizeof kinds / sizeof *kinds; i++)
		join(pool);
	assert_int_equal(ATMOST_EFULL, atmost_join(pool, &me));
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_link_is_not_followed),
		TEST_IN_FOLDER(only_a_plain_file_is_a_pool),
		TEST_IN_FOLDER(a_file_open_to_others_is_refused),
		TEST_IN_FOLDER(a_file_of_the_wrong_size_is_damaged),
		TEST_IN_FOLDER(a_file_of_garbage_is_no_pool),
		TEST_IN_FOLDER(every_byte_of_the_header_is_checked),
		TEST_IN_FOLDER(another_format_or_C_library_is_recognized),
		TEST_IN_FOLDER(a_header_with_a_right_checksum_is_checked_too),
		TEST_IN_FOLDER(a_damaged_life_lock_is_not_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
