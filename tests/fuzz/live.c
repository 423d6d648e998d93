/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two processes use a pool while a third process overwrites the pool's memory
 * or truncates its file.  The third process does not overwrite life locks,
 * whose pointers belong to the C library.
 *
 * ATMOST_STRESS_SECONDS sets the length of each part.
 */
#include "common/clock.h"
#include "common/prng.h"
#include "common/watchdog.h"
#include "exercise.h"
#include "mutate.h"
#include "runtime/pool.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NAME "live"

enum { USERS = 2 };

static const int64_t SECOND = 1000000000;

static struct progress *progress; /* one for each user */
static uint64_t seed;

_Noreturn static void use(const struct atmost_shape *shape, unsigned number)
{
	const int64_t until = clock_nanoseconds() +
			      (int64_t)(clock_stress_seconds(3) * 1e9);
	uint64_t state = seed + number;
	struct atmost *pool;

	/* The handlers of cmocka would hide the signal. */
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	if (image_open(&pool, NAME, shape, number % 2) != 0)
		_exit(3);
	while (clock_nanoseconds() < until) {
		const struct exercise plan = {
			.shape = *shape,
			.patience = 1 + prng_below(&state, SECOND / 100),
			.random = prng_next(&state),
			.processor = 2 * SECOND,
			.real = 60 * SECOND,
			.progress = &progress[number],
		};

		progress[number].number++;
		exercise_use(&plan, pool);
	}
	atmost_close(pool);
	_exit(0);
}

static struct layout layout; /* the layout of the pool in use */

/* Returns whether the byte lies in a life lock. */
static bool is_life(size_t at)
{
	return at >= layout.members &&
	       at < layout.members + IMAGE_MEMBERS * layout.member_each &&
	       (at - layout.members) % layout.member_each < sizeof(struct life);
}

static void overwrite_once(_Atomic uint64_t *words, const uint64_t *fresh,
			   size_t count, uint64_t *state)
{
	const size_t first = offsetof(struct header, k_now) / 8;
	size_t at = first + prng_below(state, count - first);

	if (is_life(8 * at))
		return;
	switch (prng_below(state, 5)) {
	case 0:
		words[at] = prng_next(state);
		break;
	case 1:
		words[at] = prng_below(state, 99) << prng_below(state, 20);
		break;
	case 2:
		words[at] ^= UINT64_C(1) << prng_below(state, 64);
		break;
	case 3:
		words[at] += UINT64_C(1) << prng_below(state, 64);
		break;
	default:
		/* Restores some words, because otherwise no member would get in
		 * any more. */
		for (size_t i = at; i < count && i < at + 64; i++)
			if (!is_life(8 * i))
				words[i] = fresh[i];
	}
}

_Noreturn static void overwrite(size_t size)
{
	int fd = open(image_path(NAME), O_RDWR | O_CLOEXEC);
	_Atomic uint64_t *words = mmap(NULL, size, PROT_READ | PROT_WRITE,
				       MAP_SHARED, fd, 0);
	uint64_t *fresh = malloc(size), state = ~seed;

	if (words == MAP_FAILED || !fresh)
		_exit(3);
	memcpy(fresh, (const void *)words, size);
	/*
	 * Waits until all users have opened the pool, because a pool whose slot
	 * names are damaged cannot be opened.
	 */
	for (unsigned i = 0; i < USERS; i++)
		while (progress[i].number == 0)
			usleep(100);
	for (uint64_t i = 0;; i++) {
		overwrite_once(words, fresh, size / 8, &state);
		if (i % 16 == 0)
			usleep(100);
	}
}

static size_t size_of_file(void)
{
	int fd = open(image_path(NAME), O_RDONLY | O_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);

	close(fd);
	assert_true(size > 0);
	return (size_t)size;
}

static void expect_good_end(const struct atmost_shape *shape, unsigned user,
			    int status)
{
	const struct progress *p = &progress[user];

	if (WIFSIGNALED(status))
		fail_msg("ATMOST_SEED=%ju %s: user %u died of signal %d in "
			 "atmost_%s",
			 (uintmax_t)seed, shape->algorithm, user,
			 WTERMSIG(status), p->call);
	if (status)
		fail_msg("ATMOST_SEED=%ju %s: user %u ended with %d in "
			 "atmost_%s",
			 (uintmax_t)seed, shape->algorithm, user,
			 WEXITSTATUS(status), p->call);
	print_message("%s: %ju rounds, %ju passages, the longest call %.3f s\n",
		      shape->algorithm, (uintmax_t)p->number,
		      (uintmax_t)p->entered, (double)p->longest / 1e9);
}

static void expect_survival(const struct atmost_shape *shape)
{
	struct atmost *pool;
	pid_t users[USERS], overwriter;
	int status, ends[USERS];
	size_t size;

	memset(progress, 0, USERS * sizeof *progress);
	assert_int_equal(0, image_open(&pool, NAME, shape, false));
	layout = pool->layout;
	atmost_close(pool);
	size = size_of_file();
	fflush(NULL);
	overwriter = fork();
	if (overwriter == 0)
		overwrite(size);
	for (unsigned i = 0; i < USERS; i++) {
		users[i] = fork();
		if (users[i] == 0)
			use(shape, i);
	}
	for (unsigned i = 0; i < USERS; i++)
		waitpid(users[i], &ends[i], 0);
	kill(overwriter, SIGKILL);
	waitpid(overwriter, &status, 0);
	assert_int_equal(0, atmost_unlink(NAME));
	for (unsigned i = 0; i < USERS; i++)
		expect_good_end(shape, i, ends[i]);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Truncates the file to `left` bytes.  The users of the pool may die of SIGBUS,
 * but must not hang. */
static void expect_end(const struct atmost_shape *shape, off_t left)
{
	struct atmost *pool;
	pid_t users[USERS];
	int status;

	memset(progress, 0, USERS * sizeof *progress);
	assert_int_equal(0, image_open(&pool, NAME, shape, false));
	atmost_close(pool);
	fflush(NULL);
	for (unsigned i = 0; i < USERS; i++) {
		users[i] = fork();
		if (users[i] == 0) {
			use(shape, i);
		}
	}
	while (progress[0].number < 3 || progress[1].number < 3)
		usleep(1000);
	assert_int_equal(0, truncate(image_path(NAME), left));
	for (unsigned i = 0; i < USERS; i++) {
		waitpid(users[i], &status, 0);
		if (status &&
		    !(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS))
			fail_msg("ATMOST_SEED=%ju %s, %jd bytes: user %u ended "
				 "with %#x in atmost_%s",
				 (uintmax_t)seed, shape->algorithm,
				 (intmax_t)left, i, (unsigned)status,
				 progress[i].call);
	}
	/* The file is damaged.  After it is removed, a new pool can have its
	 * name. */
	if (image_open(&pool, NAME, shape, false) >= 0)
		fail_msg("%s: the file truncated to %jd bytes was opened",
			 shape->algorithm, (intmax_t)left);
	assert_int_equal(0, atmost_unlink(NAME));
	assert_int_equal(0, image_open(&pool, NAME, shape, false));
	atmost_close(pool);
	assert_int_equal(0, atmost_unlink(NAME));
}

static void users_of_a_truncated_file_do_not_hang(void **state)
{
	static const off_t left[] = { 0, 100, 600, 4096 };
	static const struct atmost_shape shapes[] = {
		{ .kind = ATMOST_ASSIGNMENT,
		  .k = 1,
		  .k_max = 4,
		  .members = IMAGE_MEMBERS,
		  .algorithm = "roster" },
		{ .kind = ATMOST_EXCLUSION,
		  .k = 1,
		  .members = IMAGE_MEMBERS,
		  .algorithm = "k-bakery" },
		{ .kind = ATMOST_GROUP,
		  .k = 1,
		  .k_max = 4,
		  .members = IMAGE_MEMBERS,
		  .algorithm = "room" },
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		for (unsigned j = 0; j < 4; j++)
			expect_end(&shapes[i], left[j]);
}

static void overwriting_roster_crashes_and_blocks_no_member(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_ASSIGNMENT,
						.k = 1,
						.k_max = 4,
						.members = IMAGE_MEMBERS,
						.algorithm = "roster",
						.names = "a,b,c,d" });
}

static void overwriting_k_bakery_crashes_and_blocks_no_member(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_EXCLUSION,
						.k = 1,
						.members = IMAGE_MEMBERS,
						.algorithm = "k-bakery" });
}

static void overwriting_a_group_crashes_and_blocks_no_member(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){
		.kind = ATMOST_GROUP,
		.sessions = 4,
		.members = IMAGE_MEMBERS,
		.algorithm = "session-tree/tree-mutex" });
}

static void overwriting_a_shared_object_crashes_and_blocks_no_member(
	void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_OBJECT,
						.k = 2,
						.members = IMAGE_MEMBERS,
						.algorithm = "roster" });
}

static void overwriting_room_crashes_and_blocks_no_member(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_GROUP,
						.k = 1,
						.k_max = 4,
						.members = IMAGE_MEMBERS,
						.algorithm = "room" });
}

static void overwriting_hall_crashes_and_blocks_no_member(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_GROUP,
						.members = IMAGE_MEMBERS,
						.algorithm = "hall" });
}

static int set_up(void **state)
{
	(void)state;
	seed = prng_seed();
	progress = mmap(NULL, USERS * sizeof *progress, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	image_begin();
	return progress == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	image_end();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			overwriting_roster_crashes_and_blocks_no_member),
		cmocka_unit_test(
			overwriting_k_bakery_crashes_and_blocks_no_member),
		cmocka_unit_test(
			overwriting_a_group_crashes_and_blocks_no_member),
		cmocka_unit_test(
			overwriting_a_shared_object_crashes_and_blocks_no_member),
		cmocka_unit_test(overwriting_room_crashes_and_blocks_no_member),
		cmocka_unit_test(overwriting_hall_crashes_and_blocks_no_member),
		cmocka_unit_test(users_of_a_truncated_file_do_not_hang),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
