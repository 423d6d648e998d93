/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests names and directories: the library uses no directory and no file of
 * another user.
 */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct atmost_shape shape = {
	.kind = ATMOST_EXCLUSION,
	.k = 2,
	.members = 4,
	.algorithm = "k-ticket",
};

/* A path below the folder; valid until the next call. */
static const char *below(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void use(const char *directory)
{
	assert_int_equal(0, setenv("ATMOST_DIR", directory, 1));
}

static void expect_open(int error, const char *name, const char *detail)
{
	struct atmost *pool = NULL;

	assert_int_equal(error, atmost_open(&pool, name, &shape));
	if (error) {
		assert_null(pool);
		expect_detail(detail);
	}
	atmost_close(pool);
}

static void a_name_has_1_to_64_plain_letters(void **state)
{
	static const char *const bad[] = {
		"",    ".",   "..",   ".pool", "a/b",      "/a",  "a/",
		"a b", "a\n", "a\\b", "a%",    "\xc3\xa9", "a:b", "a*",
	};
	static const char *const good[] = {
		"a", "Z", "0", "_", "-", "a.b", "a..", "-rf", "a.pool",
	};
	char long_name[66];

	(void)state;
	memset(long_name, 'x', sizeof long_name);
	long_name[65] = '\0';
	expect_open(ATMOST_ENAME, long_name, "64");
	assert_int_equal(ATMOST_ENAME, atmost_unlink(long_name));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		expect_open(ATMOST_ENAME, bad[i], "name");
		assert_int_equal(ATMOST_ENAME, atmost_unlink(bad[i]));
	}
	expect_open(ATMOST_ENAME, NULL, "empty");
	assert_int_equal(ATMOST_ENAME, atmost_unlink(NULL));
	assert_int_equal(0, folder_count());
	long_name[64] = '\0';
	expect_open(0, long_name, NULL);
	assert_int_equal(0, access(folder_file(long_name), F_OK));
	assert_int_equal(0, atmost_unlink(long_name));
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		expect_open(0, good[i], NULL);
		assert_int_equal(0, access(folder_file(good[i]), F_OK));
		assert_int_equal(0, atmost_unlink(good[i]));
	}
}

static void expect_mode(unsigned mode, const char *path)
{
	struct stat status;

	assert_int_equal(0, stat(path, &status));
	assert_int_equal(mode, status.st_mode & 07777);
}

static void a_missing_directory_is_made_for_its_user_alone(void **state)
{
	struct atmost *pool;

	(void)state;
	use(below("deep"));
	assert_int_equal(ATMOST_ENOTFOUND, atmost_open(&pool, "pool", NULL));
	assert_int_equal(ATMOST_ENOTFOUND, atmost_unlink("pool"));
	assert_int_equal(-1, access(below("deep"), F_OK));
	expect_open(0, "pool", NULL);
	expect_mode(0700, below("deep"));
	expect_mode(0600, below("deep/pool.pool"));
	use(below("deep/er/still"));
	expect_open(ATMOST_ENOTFOUND, "pool", "deep/er/still");
}

/* Opens a pool with an unusual umask, but not as root: for root the kernel
 * checks no modes. */
static int make_with_umask(const void *mask)
{
	struct atmost *pool;

	if (geteuid() == 0 && (chown(folder, 65533, 65533) < 0 ||
			       setresuid(65533, 65533, 65533) < 0))
		return 1;
	umask(*(const mode_t *)mask);
	if (atmost_open(&pool, "pool", &shape) < 0)
		return 2;
	atmost_close(pool);
	return atmost_open(&pool, "pool", NULL) < 0 ? 3 : 0;
}

static void the_umask_does_not_matter(void **state)
{
	static const mode_t masks[] = { 0777, 0, 0277 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		char name[16];

		snprintf(name, sizeof name, "of-%u", i);
		use(below(name));
		assert_int_equal(0, in_child(make_with_umask, &masks[i]));
		expect_mode(0700, below(name));
		strcat(name, "/pool.pool");
		expect_mode(0600, below(name));
	}
}

static void a_directory_that_others_may_write_is_refused(void **state)
{
	static const mode_t bad[] = { 0777, 01777, 0720, 0702 };
	static const mode_t good[] = { 0700, 0755, 0711 };

	(void)state;
	expect_open(0, "there", NULL);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(0, chmod(folder, bad[i]));
		expect_open(ATMOST_EPERMISSION, "pool", folder);
		expect_open(ATMOST_EPERMISSION, "there", "chmod");
		assert_int_equal(ATMOST_EPERMISSION, atmost_unlink("there"));
	}
	assert_int_equal(1, folder_count());
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(0, chmod(folder, good[i]));
		expect_open(0, "pool", NULL);
	}
}

static int open_as_another(const void *unused)
{
	struct atmost *pool;
	int error;

	(void)unused;
	if (setresuid(65533, 65533, 65533) < 0)
		return 1;
	error = atmost_open(&pool, "pool", &shape);
	if (error == ATMOST_EPERMISSION && strstr(atmost_detail(), folder))
		return 0;
	fprintf(stderr, "%d: %s\n", error, atmost_detail());
	return 2;
}

static void a_directory_of_another_user_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("skipped: only root can become another user\n");
		skip();
	}
	assert_int_equal(0, chmod(folder, 0755));
	assert_int_equal(0, in_child(open_as_another, NULL));
	assert_int_equal(0, chmod(folder, 0700));
	assert_int_equal(0, in_child(open_as_another, NULL));
	assert_int_equal(0, chown(folder, 65533, 65533));
	expect_open(ATMOST_EPERMISSION, "pool", "belongs to user 65533");
	assert_int_equal(0, chown(folder, 0, 0));
	expect_open(0, "pool", NULL);
	assert_int_equal(0, chown(folder_file("pool"), 65533, 65533));
	expect_open(ATMOST_EPERMISSION, "pool", "belongs to user 65533");
}

static void a_path_that_is_no_directory_is_refused(void **state)
{
	char target[256];

	(void)state;
	snprintf(target, sizeof target, "%s", below("real"));
	assert_int_equal(0, mkdir(target, 0700));
	assert_int_equal(0, symlink(target, below("link")));
	assert_int_equal(0, symlink("nowhere", below("dangling")));
	close(creat(below("file"), 0600));
	assert_int_equal(0, mkfifo(below("fifo"), 0600));
	use(below("link"));
	expect_open(ATMOST_EPERMISSION, "pool", "link");
	use(below("link/"));
	expect_open(ATMOST_EPERMISSION, "pool", "link");
	use(below("dangling"));
	expect_open(ATMOST_EPERMISSION, "pool", "dangling");
	use(below("file"));
	expect_open(ATMOST_EPERMISSION, "pool", "file");
	use(below("fifo"));
	expect_open(ATMOST_EPERMISSION, "pool", "fifo");
	use(below("real/"));
	expect_open(0, "pool", NULL);
}

static void an_open_pool_survives_the_removal_of_its_directory(void **state)
{
	struct atmost *pool;
	struct atmost_member *me;

	(void)state;
	use(below("gone"));
	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	me = join(pool);
	assert_int_equal(0, unlink(below("gone/pool.pool")));
	assert_int_equal(0, rmdir(below("gone")));
	assert_int_equal(ATMOST_ENOTFOUND, atmost_unlink("pool"));
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(0, atmost_leave(me));
	expect_open(0, "pool", NULL);
	atmost_close(pool);
}

static void a_path_that_is_too_long_is_refused(void **state)
{
	static char path[6000];

	(void)state;
	memset(path, 'x', sizeof path - 1);
	path[0] = '/';
	use(path);
	expect_open(ATMOST_ESYSTEM, "pool", "too long");
	path[1000] = '\0';
	use(path);
	expect_open(ATMOST_ESYSTEM, "pool", "long");
}

static void a_relative_ATMOST_DIR_is_refused(void **state)
{
	static const char *const relative[] = { "pools", "./pools", "." };
	char path[64];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		use(relative[i]);
		expect_open(ATMOST_ESYSTEM, "pool", "absolute");
		expect_open(ATMOST_ESYSTEM, "pool", relative[i]);
		assert_int_equal(ATMOST_ESYSTEM,
				 atmost_directory(path, sizeof path));
	}
}

/*
 * Called in a child: mounts an empty /run and an empty /dev/shm, unsets
 * ATMOST_DIR, and sets XDG_RUNTIME_DIR, which the library must ignore.
 */
static bool has_own_places(void)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", "/run", "tmpfs", 0, "mode=755") == 0 &&
	       mount("none", "/dev/shm", "tmpfs", 0, "mode=1777") == 0 &&
	       unsetenv("ATMOST_DIR") == 0 &&
	       setenv("XDG_RUNTIME_DIR", folder, 1) == 0;
}

static int try_own_places(const void *unused)
{
	(void)unused;
	return has_own_places() ? 0 : 1;
}

/* Runs in a child.  Returns true if opening a pool returns `error` and, unless
 * `error` is 0, the detail contains `part`. */
static bool opens(int error, const char *part)
{
	struct atmost *pool;
	int result = atmost_open(&pool, "pool", &shape);

	if (result == error && (!error || strstr(atmost_detail(), part)))
		return true;
	fprintf(stderr, "%d instead of %d: %s\n", result, error,
		atmost_detail());
	return false;
}

static bool has_mode(const char *path, mode_t mode)
{
	struct stat status;

	return lstat(path, &status) == 0 && status.st_mode == mode;
}

static bool make_machine(mode_t mode)
{
	return mkdir("/run/atmost", 0700) == 0 &&
	       chmod("/run/atmost", mode) == 0;
}

static int open_in_shared_memory(const void *unused)
{
	char path[64];

	(void)unused;
	if (!has_own_places() || setresuid(65533, 65533, 65533) < 0)
		return 1;
	if (!opens(0, NULL) || atmost_directory(path, sizeof path) < 0)
		return 2;
	return strcmp(path, "/dev/shm/atmost-65533") == 0 &&
			       has_mode(path, S_IFDIR | 0700) &&
			       has_mode("/dev/shm/atmost-65533/pool.pool",
					S_IFREG | 0600)
		       ? 0
		       : 3;
}

static int open_below_run(const void *unused)
{
	char path[64];

	(void)unused;
	if (!has_own_places() || !make_machine(01777) ||
	    setresuid(65533, 65533, 65533) < 0)
		return 1;
	if (!opens(0, NULL) || atmost_directory(path, sizeof path) < 0)
		return 2;
	return strcmp(path, "/run/atmost/65533") == 0 &&
			       has_mode(path, S_IFDIR | 0700) &&
			       has_mode("/run/atmost/65533/pool.pool",
					S_IFREG | 0600)
		       ? 0
		       : 3;
}

static int open_below_bad_runs(const void *unused)
{
	(void)unused;
	if (!has_own_places() || !make_machine(0777))
		return 1;
	if (!opens(ATMOST_EPERMISSION, "chmod it to 1777"))
		return 2;
	if (chmod("/run/atmost", 0775) < 0 ||
	    !opens(ATMOST_EPERMISSION, "chmod it to 1777"))
		return 3;
	if (chown("/run/atmost", 65533, 0) < 0 ||
	    chmod("/run/atmost", 01777) < 0 ||
	    !opens(ATMOST_EPERMISSION, "belongs to user 65533, not to root"))
		return 4;
	if (rename("/run/atmost", "/run/real") < 0 ||
	    symlink("real", "/run/atmost") < 0 ||
	    !opens(ATMOST_EPERMISSION, "/run/atmost is not a directory"))
		return 5;
	if (unlink("/run/atmost") < 0 ||
	    close(creat("/run/atmost", 0600)) < 0 ||
	    !opens(ATMOST_EPERMISSION, "/run/atmost is not a directory"))
		return 6;
	if (unlink("/run/atmost") < 0 || !make_machine(0755) ||
	    setresuid(65533, 65533, 65533) < 0 ||
	    !opens(ATMOST_EPERMISSION, "chmod /run/atmost to 1777"))
		return 7;
	return 0;
}

/* Root has made the directory that user 65533 needs. */
static int open_below_run_taken(const void *unused)
{
	(void)unused;
	if (!has_own_places() || !make_machine(01777) ||
	    mkdir("/run/atmost/65533", 0700) < 0 ||
	    setresuid(65533, 65533, 65533) < 0)
		return 1;
	return opens(ATMOST_EPERMISSION,
		     "/run/atmost/65533 belongs to user 0 (root)")
		       ? 0
		       : 2;
}

static void expect_in_own_places(int (*open_pool_there)(const void *))
{
	if (in_child(try_own_places, NULL) != 0) {
		print_message("skipped: only root can mount its own "
			      "/run\n");
		skip();
	}
	assert_int_equal(0, in_child(open_pool_there, NULL));
	assert_int_equal(0, folder_count());
}

static void pools_are_in_shared_memory(void **state)
{
	(void)state;
	expect_in_own_places(open_in_shared_memory);
}

static void pools_are_below_run_atmost_if_that_exists(void **state)
{
	(void)state;
	expect_in_own_places(open_below_run);
}

static void an_unsafe_run_atmost_is_refused(void **state)
{
	(void)state;
	expect_in_own_places(open_below_bad_runs);
}

static void a_directory_that_another_user_made_first_is_refused(void **state)
{
	(void)state;
	expect_in_own_places(open_below_run_taken);
}

/*
 * Tries to open a pool, with one more file descriptor allowed each time, until
 * the open succeeds.
 */
static int open_with_few(const void *unused)
{
	struct rlimit limit;
	struct atmost *pool;
	int lowest = dup(0), error = 0;

	(void)unused;
	close(lowest);
	getrlimit(RLIMIT_NOFILE, &limit);
	for (unsigned more = 0; more < 10; more++) {
		limit.rlim_cur = (rlim_t)lowest + more;
		setrlimit(RLIMIT_NOFILE, &limit);
		error = atmost_open(&pool, "pool", &shape);
		if (error == 0)
			return more > 0 && dup(0) == lowest ? 0 : 1;
		if (error != ATMOST_ESYSTEM)
			return 2;
	}
	return 3;
}

static void with_few_file_descriptors_open_fails_or_the_pool_is_complete(
	void **state)
{
	struct atmost *pool;
	uint64_t boot[2];

	(void)state;
	assert_int_equal(0, in_child(open_with_few, NULL));
	file_read("pool", AT_BOOT, boot, sizeof boot);
	assert_true(boot[0] | boot[1]);
	assert_int_equal(0, in_child(open_with_few, NULL));
	pool = open_pool("pool", NULL, 0, 0);
	atmost_close(pool);
	assert_int_equal(1, folder_count());
}

static int open_with_little_room(const void *unused)
{
	const struct rlimit limit = { 256, 256 };
	struct atmost *pool;

	(void)unused;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	return atmost_open(&pool, "pool", &shape) == ATMOST_ESYSTEM ? 0 : 1;
}

static void without_space_no_file_is_created(void **state)
{
	(void)state;
	assert_int_equal(0, in_child(open_with_little_room, NULL));
	assert_int_equal(0, folder_count());
}

/* Each join allocates the member's memory.  Without space the join is refused,
 * and no member gets a SIGBUS. */
static void on_a_full_file_system_no_member_joins(void **state)
{
	struct atmost_shape large = shape;
	struct atmost *pool = NULL;
	struct atmost_member *me;
	unsigned joined = 0;
	int error;

	(void)state;
	if (mount("none", folder, "tmpfs", 0, "size=64k,mode=700") < 0) {
		print_message("skipped: this user cannot mount: %s\n",
			      strerror(errno));
		skip();
	}
	large.members = 1000;
	large.algorithm = "roster";
	assert_int_equal(0, atmost_open(&pool, "pool", &large));
	while ((error = atmost_join(pool, &me)) == 0) {
		joined++;
		assert_true(atmost_enter(me, NULL) >= 0);
		assert_int_equal(0, atmost_leave(me));
	}
	assert_int_equal(ATMOST_ESYSTEM, error);
	expect_detail("No space");
	assert_true(joined > 10 && joined < 1000);
	atmost_close(pool);
	large.algorithm = "k-bakery";
	assert_int_equal(ATMOST_ESYSTEM, atmost_open(&pool, "other", &large));
	expect_detail("No space");
	assert_int_equal(1, folder_count());
	assert_int_equal(0, umount(folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_name_has_1_to_64_plain_letters),
		TEST_IN_FOLDER(a_missing_directory_is_made_for_its_user_alone),
		TEST_IN_FOLDER(the_umask_does_not_matter),
		TEST_IN_FOLDER(a_directory_that_others_may_write_is_refused),
		TEST_IN_FOLDER(a_directory_of_another_user_is_refused),
		TEST_IN_FOLDER(a_path_that_is_no_directory_is_refused),
		TEST_IN_FOLDER(
			an_open_pool_survives_the_removal_of_its_directory),
		TEST_IN_FOLDER(a_path_that_is_too_long_is_refused),
		TEST_IN_FOLDER(a_relative_ATMOST_DIR_is_refused),
		TEST_IN_FOLDER(pools_are_in_shared_memory),
		TEST_IN_FOLDER(pools_are_below_run_atmost_if_that_exists),
		TEST_IN_FOLDER(an_unsafe_run_atmost_is_refused),
		TEST_IN_FOLDER(
			a_directory_that_another_user_made_first_is_refused),
		TEST_IN_FOLDER(
			with_few_file_descriptors_open_fails_or_the_pool_is_complete),
		TEST_IN_FOLDER(without_space_no_file_is_created),
		TEST_IN_FOLDER(on_a_full_file_system_no_member_joins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
