/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests pools that have a name: they are created once, found by all processes,
 * and compared with the shape that a caller asks for.
 */
#include "folder.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 100 };

/* Each process waits until `gate` is closed, opens, joins and enters the pool,
 * reports success or failure to `said`, and stays until `end` is closed. */
struct race {
	const char *algorithm;
	int gate[2], said[2], end[2];
};

static int run_race(const struct race *race)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 3,
		.members = PROCESSES + 2,
		.algorithm = race->algorithm,
	};
	struct atmost *pool;
	struct atmost_member *me;
	char ok = 1, none;

	child_begins();
	close(race->gate[1]);
	close(race->end[1]);
	if (read(race->gate[0], &none, 1) != 0)
		return 1;
	if (atmost_open(&pool, "race", &shape) < 0 ||
	    atmost_join(pool, &me) < 0 || atmost_enter(me, NULL) < 0 ||
	    atmost_leave(me) < 0)
		ok = 0;
	if (write(race->said[1], &ok, 1) != 1 ||
	    read(race->end[0], &none, 1) != 0)
		return 2;
	atmost_close(pool);
	return 0;
}

static void expect_one_pool(struct race *race)
{
	struct atmost_totals totals;
	struct atmost *pool;
	char ok;

	for (unsigned i = 0; i < PROCESSES; i++) {
		assert_int_equal(1, read(race->said[0], &ok, 1));
		assert_int_equal(1, ok);
	}
	pool = open_pool("race", NULL, 0, 0);
	assert_int_equal(0, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(PROCESSES, totals.members);
	assert_int_equal(0, totals.recovered);
	assert_int_equal(1, folder_count());
	atmost_close(pool);
}

static void race(const char *algorithm)
{
	struct race race = { .algorithm = algorithm };
	pid_t pid[PROCESSES];
	int status;

	assert_int_equal(0, pipe(race.gate) | pipe(race.said) | pipe(race.end));
	for (unsigned i = 0; i < PROCESSES; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(run_race(&race));
	}
	close(race.gate[1]);
	expect_one_pool(&race);
	close(race.end[1]);
	for (unsigned i = 0; i < PROCESSES; i++) {
		assert_int_equal(pid[i], waitpid(pid[i], &status, 0));
		assert_int_equal(0, status);
	}
	close(race.gate[0]);
	close(race.end[0]);
	close(race.said[0]);
	close(race.said[1]);
}

static void a_hundred_processes_that_create_a_pool_at_once_get_one_pool(
	void **state)
{
	(void)state;
	race("k-ticket");
	assert_int_equal(0, atmost_unlink("race"));
	race("roster");
}

static void change_boot(const char *name)
{
	const uint64_t other[2] = { 1, 2 };

	file_patch(name, AT_BOOT, other, sizeof other);
	file_sign(name);
}

static void a_hundred_processes_after_a_reboot_get_one_pool(void **state)
{
	(void)state;
	atmost_close(open_pool("race", "roster", 3, PROCESSES + 2));
	change_boot("race");
	race("roster");
}

static void after_a_reboot_the_pool_is_empty_and_has_its_shape(void **state)
{
	struct atmost *old = open_pool("pool", "k-ticket", 2, 5), *anew;
	struct atmost_member *me = join(old);
	struct atmost_totals totals;
	char algorithm[96];
	struct stat before, after;

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(0, stat(folder_file("pool"), &before));
	change_boot("pool");
	/* A living member shows that the machine was not rebooted. */
	anew = open_pool("pool", NULL, 0, 0);
	assert_int_equal(1, atmost_status(anew, NULL, 0, &totals));
	assert_int_equal(1, totals.holders);
	atmost_close(anew);
	atmost_close(old);
	anew = open_pool("pool", NULL, 0, 0);
	assert_int_equal(0, atmost_status(anew, NULL, 0, &totals));
	assert_int_equal(0, totals.members);
	assert_int_equal(2, totals.k);
	assert_int_equal(0, stat(folder_file("pool"), &after));
	assert_int_not_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(0600, after.st_mode & 07777);
	assert_int_equal(1, folder_count());
	file_read("pool", AT_ALGORITHM, algorithm, sizeof algorithm);
	assert_string_equal("k-ticket", algorithm);
	atmost_close(anew);
}

/* If the pool were not kept, a process that cannot read the boot id would
 * replace a pool in use. */
static void a_pool_of_an_unknown_boot_is_kept(void **state)
{
	const uint64_t unknown[2] = { 0, 0 };
	struct atmost *pool = open_pool("pool", "k-bakery", 1, 5), *again;
	struct atmost_member *me = join(pool);

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	file_patch("pool", AT_BOOT, unknown, sizeof unknown);
	file_sign("pool");
	again = open_pool("pool", NULL, 0, 0);
	assert_int_equal(ATMOST_EBUSY, atmost_enter(join(again), &try));
	atmost_close(again);
	atmost_close(pool);
}

static void without_a_shape_only_an_existing_pool_is_opened(void **state)
{
	struct atmost *pool = NULL;

	(void)state;
	assert_int_equal(ATMOST_ENOTFOUND, atmost_open(&pool, "pool", NULL));
	assert_null(pool);
	expect_detail("pool.pool");
	expect_detail(folder);
	assert_int_equal(0, folder_count());
	atmost_close(open_pool("pool", "k-ticket", 2, 5));
	assert_int_equal(0, atmost_open(&pool, "pool", NULL));
	atmost_close(pool);
}

/* Returns how many mappings of NAME.pool this process has. */
static unsigned count_mappings(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	unsigned count = 0;

	assert_non_null(maps);
	while (fgets(line, sizeof line, maps))
		count += strstr(line, folder_file(name)) != NULL;
	fclose(maps);
	return count;
}

static void a_pool_works_at_several_addresses(void **state)
{
	static const char *const names[] = { "k-bakery", "roster", "room",
					     "hall" };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		const struct atmost_want *rival = rival_try(names[i]);
		struct atmost *here, *there;
		struct atmost_member *one, *two;

		atmost_close(open_pool(names[i], names[i], 1, 5));
		here = open_pool(names[i], NULL, 0, 0);
		there = open_pool(names[i], NULL, 0, 0);
		one = join(here);
		two = join(there);
		assert_int_equal(2, count_mappings(names[i]));
		assert_int_equal(0, atmost_enter(one, NULL));
		assert_int_equal(ATMOST_EBUSY, atmost_enter(two, rival));
		assert_int_equal(0, atmost_leave(one));
		/* The slot of a member of hall is its id. */
		assert_int_equal(is_hall(names[i]), atmost_enter(two, rival));
		atmost_close(here);
		assert_int_equal(0, atmost_leave(two));
		atmost_close(there);
		assert_int_equal(0, count_mappings(names[i]));
	}
}

static void expect_refused(const char *name, struct atmost_shape wanted,
			   const char *detail)
{
	char before[4096], after[4096];
	struct atmost *pool = NULL;
	struct stat status;
	size_t size;

	assert_int_equal(0, stat(folder_file(name), &status));
	size = (size_t)status.st_size < sizeof before ? (size_t)status.st_size
						      : sizeof before;
	file_read(name, 0, before, size);
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, name, &wanted));
	expect_detail(detail);
	assert_null(pool);
	file_read(name, 0, after, size);
	assert_memory_equal(before, after, size);
	assert_int_equal(0, count_mappings(name));
}

static void another_shape_is_refused_and_its_field_named(void **state)
{
	const struct atmost_shape assignment = {
		.kind = ATMOST_ASSIGNMENT,
		.k = 2,
		.k_max = 4,
		.members = 8,
		.algorithm = "roster",
	};
	const struct atmost_shape group = {
		.kind = ATMOST_GROUP,
		.members = 8,
		.sessions = 3,
		.algorithm = "danek-fife",
	};
	struct atmost_shape want;
	struct atmost *pool;

	(void)state;
	assert_int_equal(0, atmost_open(&pool, "assignment", &assignment));
	atmost_close(pool);
	assert_int_equal(0, atmost_open(&pool, "group", &group));
	atmost_close(pool);
#define DIFFERING(name, field, value, detail)        \
	do {                                         \
		want = name;                         \
		want.field = value;                  \
		expect_refused(#name, want, detail); \
	} while (0)
	DIFFERING(assignment, kind, ATMOST_EXCLUSION,
		  "kind is assignment, but");
	DIFFERING(assignment, kind, (enum atmost_kind)99, "unknown was asked");
	DIFFERING(assignment, algorithm, "renaming",
		  "algorithm is roster, but");
	DIFFERING(assignment, algorithm, "nonsense",
		  "algorithm is roster, but");
	DIFFERING(assignment, k, 3, "k is 2, but 3");
	DIFFERING(assignment, k_max, 5, "k_max is 4, but 5");
	DIFFERING(assignment, members, 9, "members is 8, but 9");
	DIFFERING(group, sessions, 4, "sessions is 3, but 4");
#undef DIFFERING
	want = (struct atmost_shape){ .kind = ATMOST_ASSIGNMENT };
	assert_int_equal(0, atmost_open(&pool, "assignment", &want));
	atmost_close(pool);
}

static void a_shape_may_have_the_first_k_or_the_present_k(void **state)
{
	struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 2,
		.k_max = 9,
		.members = 8,
		.algorithm = "roster",
	};
	struct atmost *pool, *again;

	(void)state;
	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	assert_int_equal(0, atmost_resize(pool, 5));
	assert_int_equal(0, atmost_open(&again, "pool", &shape));
	atmost_close(again);
	shape.k = 5;
	assert_int_equal(0, atmost_open(&again, "pool", &shape));
	atmost_close(again);
	shape.k = 4;
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&again, "pool", &shape));
	expect_detail("k is 5, but 4");
	atmost_close(pool);
}

static void no_pool_is_created_from_an_impossible_shape(void **state)
{
	const struct atmost_shape none = { .kind = ATMOST_EXCLUSION };
	const struct atmost_shape odd = { .kind = (enum atmost_kind)99 };
	const struct atmost_shape unknown = {
		.kind = ATMOST_EXCLUSION,
		.k = 1,
		.algorithm = "rooster",
	};
	struct atmost *pool = NULL;

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, "pool", &none));
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, "pool", &odd));
	assert_int_equal(ATMOST_EALGORITHM,
			 atmost_open(&pool, "pool", &unknown));
	expect_detail("roster");
	assert_int_equal(0, folder_count());
	assert_null(pool);
}

static void an_unlinked_pool_stays_with_the_processes_that_opened_it(
	void **state)
{
	struct atmost *old = open_pool("pool", "k-bakery", 1, 5), *anew;
	struct atmost_member *one = join(old), *two = join(old);

	(void)state;
	assert_int_equal(0, atmost_enter(one, NULL));
	assert_int_equal(0, atmost_unlink("pool"));
	assert_int_equal(0, folder_count());
	assert_int_equal(ATMOST_ENOTFOUND, atmost_unlink("pool"));
	expect_detail("pool.pool");
	anew = open_pool("pool", "roster", 1, 7);
	assert_int_equal(0, atmost_enter(join(anew), &try));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(two, &try));
	assert_int_equal(0, atmost_leave(one));
	assert_int_equal(0, atmost_enter(two, &try));
	atmost_close(old);
	atmost_close(anew);
}

static void opening_and_closing_leaves_no_memory_or_descriptor_behind(
	void **state)
{
	int lowest = dup(STDIN_FILENO);
	size_t before = 0;

	(void)state;
	close(lowest);
	for (unsigned i = 0; i < 200; i++) {
		struct atmost *pool = open_pool("pool", "roster", 2, 5);

		assert_true(atmost_enter(join(pool), NULL) >= 0);
		atmost_close(pool);
		if (i % 10 == 0)
			assert_int_equal(0, atmost_unlink("pool"));
		if (i == 20)
			before = mallinfo2().uordblks;
	}
	assert_int_equal(before, mallinfo2().uordblks);
	assert_int_equal(lowest, dup(STDIN_FILENO));
	close(lowest);
	assert_int_equal(0, count_mappings("pool"));
}

/* Creates and removes the pool again and again. */
static void *make_and_remove(void *unused)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 1,
		.members = 9,
		.algorithm = "roster",
	};
	struct atmost *pool;
	struct atmost_member *me;

	(void)unused;
	for (unsigned i = 0; i < 200; i++) {
		int error = atmost_open(&pool, "pool", &shape);

		if (!error)
			error = atmost_join(pool, &me);
		/* The pool may have been removed in between. */
		if (error == ATMOST_ENOTFOUND) {
			atmost_close(pool);
			continue;
		}
		if (!error)
			error = atmost_enter(me, NULL);
		if (error) {
			fprintf(stderr, "%d: %s\n", error, atmost_detail());
			return "failed";
		}
		atmost_close(pool);
		error = atmost_unlink("pool");
		if (error && error != ATMOST_ENOTFOUND)
			return "cannot unlink";
	}
	return NULL;
}

static void a_pool_may_be_removed_while_others_open_it(void **state)
{
	pthread_t thread[4];
	void *result;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(0, pthread_create(&thread[i], NULL,
						   make_and_remove, NULL));
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(thread[i], &result);
		assert_null(result);
	}
	assert_int_equal(0, folder_count());
}

static long blocks_of(const char *name)
{
	struct stat status;

	assert_int_equal(0, stat(folder_file(name), &status));
	return (long)status.st_blocks * 512;
}

/* The pool still needs little memory after two members have joined and after
 * atmost_status. */
static void a_new_pool_for_a_thousand_members_needs_little_memory(void **state)
{
	static const unsigned members[] = { 1024, 4096 };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *pool = open_pool("pool", "roster", 1,
						members[i]);
		struct atmost_totals totals;

		assert_true(blocks_of("pool") <= 32 * 1024);
		assert_int_equal(0, atmost_enter(join(pool), NULL));
		assert_int_equal(1, atmost_status(pool, NULL, 0, &totals));
		assert_int_equal(ATMOST_EBUSY, atmost_enter(join(pool), &try));
		assert_true(blocks_of("pool") <= 32 * 1024);
		print_message("%u members: %ld bytes\n", members[i],
			      blocks_of("pool"));
		atmost_close(pool);
		assert_int_equal(0, atmost_unlink("pool"));
	}
}

static void touch_hidden(const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(0, close(fd));
}

/* A draft is the file of a pool that is being created.  A lock on it (see
 * runtime/layout.h) shows that its creator lives. */
static void drafts_of_killed_creators_are_removed(void **state)
{
	struct flock lock = { .l_type = F_WRLCK,
			      .l_start = (2 << 16) + 2,
			      .l_len = 1 };
	char path[PATH_MAX];
	int fd;

	(void)state;
	touch_hidden(".draft-1-0");
	touch_hidden(".new-1-pool");
	touch_hidden(".mine");
	snprintf(path, sizeof path, "%s/.draft-2-0", folder);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(0, fcntl(fd, F_OFD_SETLK, &lock));
	atmost_close(open_pool("pool", "roster", 1, 4));
	assert_int_equal(3, folder_count()); /* the pool, .mine, .draft-2-0 */
	assert_int_equal(0, access(path, F_OK));
	close(fd);
	atmost_close(open_pool("other", "roster", 1, 4));
	assert_int_equal(-1, access(path, F_OK));
}

static void a_removed_pool_cannot_be_joined(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct atmost_member *me = join(pool), *more;

	(void)state;
	assert_int_equal(ATMOST_EBUSY, atmost_unlink_unused("pool"));
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(0, atmost_unlink("pool"));
	assert_int_equal(ATMOST_ENOTFOUND, atmost_join(pool, &more));
	expect_detail("removed");
	assert_int_equal(0, atmost_leave(me));
	atmost_close(pool);
	atmost_close(open_pool("pool", "roster", 1, 4));
	assert_int_equal(0, atmost_unlink_unused("pool"));
	assert_int_equal(ATMOST_ENOTFOUND, atmost_unlink_unused("pool"));
}

/* The file looks as if the remover had been killed before it removed the
 * name. */
static void an_unfinished_removal_is_finished_or_undone(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4), *again;
	struct atmost_member *me = join(pool), *more;
	struct atmost_totals totals;
	const uint64_t deaths = 7;
	uint64_t mark = 0;

	(void)state;
	memcpy(&mark, ".removed", sizeof mark); /* REMOVED of layout.h */
	assert_int_equal(0, atmost_enter(me, NULL));
	file_patch("pool", AT_RECOVERED, &deaths, sizeof deaths);
	file_patch("pool", AT_REMOVED, &mark, sizeof mark);
	assert_int_equal(ATMOST_ENOTFOUND, atmost_join(pool, &more));
	/* A member lives: the pool stays. */
	again = open_pool("pool", NULL, 0, 0);
	assert_int_equal(0, atmost_join(again, &more));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(more, &try));
	assert_int_equal(1, atmost_status(again, NULL, 0, &totals));
	assert_int_equal(deaths, totals.recovered);
	atmost_close(again);
	atmost_close(pool);
	/* No member lives: the next open creates a new pool. */
	file_patch("pool", AT_REMOVED, &mark, sizeof mark);
	again = open_pool("pool", "roster", 1, 4);
	assert_int_equal(0, atmost_status(again, NULL, 0, &totals));
	assert_int_equal(0, totals.recovered);
	atmost_close(again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(
			a_hundred_processes_that_create_a_pool_at_once_get_one_pool),
		TEST_IN_FOLDER(a_hundred_processes_after_a_reboot_get_one_pool),
		TEST_IN_FOLDER(
			after_a_reboot_the_pool_is_empty_and_has_its_shape),
		TEST_IN_FOLDER(a_pool_of_an_unknown_boot_is_kept),
		TEST_IN_FOLDER(without_a_shape_only_an_existing_pool_is_opened),
		TEST_IN_FOLDER(a_pool_works_at_several_addresses),
		TEST_IN_FOLDER(another_shape_is_refused_and_its_field_named),
		TEST_IN_FOLDER(a_shape_may_have_the_first_k_or_the_present_k),
		TEST_IN_FOLDER(no_pool_is_created_from_an_impossible_shape),
		TEST_IN_FOLDER(
			an_unlinked_pool_stays_with_the_processes_that_opened_it),
		TEST_IN_FOLDER(
			opening_and_closing_leaves_no_memory_or_descriptor_behind),
		TEST_IN_FOLDER(a_pool_may_be_removed_while_others_open_it),
		TEST_IN_FOLDER(
			a_new_pool_for_a_thousand_members_needs_little_memory),
		TEST_IN_FOLDER(drafts_of_killed_creators_are_removed),
		TEST_IN_FOLDER(a_removed_pool_cannot_be_joined),
		TEST_IN_FOLDER(an_unfinished_removal_is_finished_or_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
