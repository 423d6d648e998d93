/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two processes use an object while a third one scribbles on it: on everything
 * but the life locks, whose pointers are the C library's; or cuts its file off.
 *
 * ATMOST_STRESS_SECONDS makes each part take so long.
 */
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

static struct progress *progress; /* of each user */
static uint64_t seed;

static double seconds(void)
{
	const char *text = getenv("ATMOST_STRESS_SECONDS");

	return text && *text ? strtod(text, NULL) : 3;
}

_Noreturn static void use(const struct atmost_shape *shape, unsigned number)
{
	const int64_t until = exercise_now() + (int64_t)(seconds() * 1e9);
	uint64_t state = seed + number;
	struct atmost *object;

	/* cmocka's would not tell by which signal we died. */
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	if (image_open(&object, NAME, shape, number % 2) != 0)
		_exit(3);
	while (exercise_now() < until) {
		const struct exercise plan = {
			.shape = *shape,
			.patience = 1 + mutate_below(&state, SECOND / 100),
			.random = mutate_random(&state),
			.limit = 2 * SECOND,
			.progress = &progress[number],
		};

		progress[number].number++;
		exercise_use(&plan, object);
	}
	atmost_close(object);
	_exit(0);
}

static struct layout layout; /* of the pool that is used */

/* Is byte `at` in a life lock? */
static bool is_life(size_t at)
{
	return at >= layout.members &&
	       at < layout.members + IMAGE_MEMBERS * layout.member_each &&
	       (at - layout.members) % layout.member_each < sizeof(struct life);
}

static void scribble_once(_Atomic uint64_t *words, const uint64_t *fresh,
			  size_t count, uint64_t *state)
{
	const size_t first = offsetof(struct header, k_now) / 8;
	size_t at = first + mutate_below(state, count - first);

	if (is_life(8 * at))
		return;
	switch (mutate_below(state, 5)) {
	case 0:
		words[at] = mutate_random(state);
		break;
	case 1:
		words[at] = mutate_below(state, 99) << mutate_below(state, 20);
		break;
	case 2:
		words[at] ^= UINT64_C(1) << mutate_below(state, 64);
		break;
	case 3:
		words[at] += UINT64_C(1) << mutate_below(state, 64);
		break;
	default:
		/* As it was, with what is around it: or nobody gets in. */
		for (size_t i = at; i < count && i < at + 64; i++)
			if (!is_life(8 * i))
				words[i] = fresh[i];
	}
}

_Noreturn static void scribble(size_t size)
{
	int fd = open(image_path(NAME), O_RDWR | O_CLOEXEC);
	_Atomic uint64_t *words = mmap(NULL, size, PROT_READ | PROT_WRITE,
				       MAP_SHARED, fd, 0);
	uint64_t *fresh = malloc(size), state = ~seed;

	if (words == MAP_FAILED || !fresh)
		_exit(3);
	memcpy(fresh, (const void *)words, size);
	for (uint64_t i = 0;; i++) {
		scribble_once(words, fresh, size / 8, &state);
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
	struct atmost *object;
	pid_t users[USERS], scribbler;
	int status, ends[USERS];
	size_t size;

	memset(progress, 0, USERS * sizeof *progress);
	assert_int_equal(0, image_open(&object, NAME, shape, false));
	layout = object->layout;
	atmost_close(object);
	size = size_of_file();
	fflush(NULL);
	scribbler = fork();
	if (scribbler == 0)
		scribble(size);
	for (unsigned i = 0; i < USERS; i++) {
		users[i] = fork();
		if (users[i] == 0)
			use(shape, i);
	}
	for (unsigned i = 0; i < USERS; i++)
		waitpid(users[i], &ends[i], 0);
	kill(scribbler, SIGKILL);
	waitpid(scribbler, &status, 0);
	assert_int_equal(0, atmost_unlink(NAME));
	for (unsigned i = 0; i < USERS; i++)
		expect_good_end(shape, i, ends[i]);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* The file is cut off at `left` bytes: its users may die of SIGBUS, and must
 * not hang. */
static void expect_end(const struct atmost_shape *shape, off_t left)
{
	struct atmost *object;
	pid_t users[USERS];
	int status;

	memset(progress, 0, USERS * sizeof *progress);
	assert_int_equal(0, image_open(&object, NAME, shape, false));
	atmost_close(object);
	fflush(NULL);
	for (unsigned i = 0; i < USERS; i++) {
		users[i] = fork();
		if (users[i] == 0) {
			alarm((unsigned)seconds() + 20); /* a hang */
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
	/* The file is damaged, and another may have its name. */
	if (image_open(&object, NAME, shape, false) >= 0)
		fail_msg("%s, %jd bytes: it opens", shape->algorithm,
			 (intmax_t)left);
	assert_int_equal(0, atmost_unlink(NAME));
	assert_int_equal(0, image_open(&object, NAME, shape, false));
	atmost_close(object);
	assert_int_equal(0, atmost_unlink(NAME));
}

static void users_of_a_file_that_is_cut_off_do_not_hang(void **state)
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

static void scribbling_on_roster_crashes_and_delays_nobody(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_ASSIGNMENT,
						.k = 1,
						.k_max = 4,
						.members = IMAGE_MEMBERS,
						.algorithm = "roster" });
}

static void scribbling_on_k_bakery_crashes_and_delays_nobody(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_EXCLUSION,
						.k = 1,
						.members = IMAGE_MEMBERS,
						.algorithm = "k-bakery" });
}

static void scribbling_on_groups_crashes_and_delays_nobody(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){
		.kind = ATMOST_GROUP,
		.sessions = 4,
		.members = IMAGE_MEMBERS,
		.algorithm = "session-tree/tree-mutex" });
}

static void scribbling_on_objects_crashes_and_delays_nobody(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_OBJECT,
						.k = 2,
						.members = IMAGE_MEMBERS,
						.algorithm = "roster" });
}

static void scribbling_on_room_crashes_and_delays_nobody(void **state)
{
	(void)state;
	expect_survival(&(struct atmost_shape){ .kind = ATMOST_GROUP,
						.k = 1,
						.k_max = 4,
						.members = IMAGE_MEMBERS,
						.algorithm = "room" });
}

static int set_up(void **state)
{
	const char *text = getenv("ATMOST_SEED");

	(void)state;
	seed = text && *text ? strtoull(text, NULL, 0)
			     : (uint64_t)exercise_now();
	print_message("ATMOST_SEED=%ju\n", (uintmax_t)seed);
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
			scribbling_on_roster_crashes_and_delays_nobody),
		cmocka_unit_test(
			scribbling_on_k_bakery_crashes_and_delays_nobody),
		cmocka_unit_test(
			scribbling_on_groups_crashes_and_delays_nobody),
		cmocka_unit_test(
			scribbling_on_objects_crashes_and_delays_nobody),
		cmocka_unit_test(scribbling_on_room_crashes_and_delays_nobody),
		cmocka_unit_test(users_of_a_file_that_is_cut_off_do_not_hang),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
