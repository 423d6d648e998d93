/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The public interface: what it promises, and each failure by its name.
 */
#define _GNU_SOURCE

#include <atmost/atmost.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct atmost_want try = { .flags = ATMOST_TRY };

static struct atmost *make(const char *algorithm, unsigned k, unsigned members)
{
	struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION, .k = k, .members = members,
		.algorithm = algorithm,
	};
	struct atmost *object = NULL;

	assert_int_equal(0, atmost_create(&object, &shape));
	return object;
}

static struct atmost_member *join(struct atmost *object)
{
	struct atmost_member *me = NULL;

	assert_int_equal(0, atmost_join(object, &me));
	return me;
}

static void expect_detail(const char *part)
{
	if (!strstr(atmost_detail(), part))
		fail_msg("\"%s\" is not in \"%s\"", part, atmost_detail());
}

/* Does something in another thread and says what came of it. */
struct elsewhere {
	struct atmost_member *member;
	int (*deed)(struct atmost_member *);
	int result;
	char detail[256];
};

static void *do_it(void *argument)
{
	struct elsewhere *e = argument;

	e->result = e->deed(e->member);
	snprintf(e->detail, sizeof e->detail, "%s", atmost_detail());
	return NULL;
}

static struct elsewhere elsewhere(struct atmost_member *member,
				  int (*deed)(struct atmost_member *))
{
	struct elsewhere e = { .member = member, .deed = deed };
	pthread_t thread;

	assert_int_equal(0, pthread_create(&thread, NULL, do_it, &e));
	pthread_join(thread, NULL);
	return e;
}

static int enter(struct atmost_member *me)
{
	return atmost_enter(me, NULL);
}

/* Shapes. */

static void a_mutex_and_an_exclusion_have_a_default_algorithm(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_MUTEX };
	struct atmost *object;

	(void)state;
	assert_int_equal(0, atmost_create(&object, &shape));
	atmost_close(object);
	shape = (struct atmost_shape){ .kind = ATMOST_EXCLUSION, .k = 7 };
	assert_int_equal(0, atmost_create(&object, &shape));
	atmost_close(object);
}

static void an_impossible_shape_is_refused_with_its_field(void **state)
{
	static const struct {
		struct atmost_shape shape;
		int error;
		const char *detail;
	} bad[] = {
		{ { .kind = (enum atmost_kind)9, .k = 1 }, ATMOST_ESHAPE,
		  "kind is 9" },
		{ { .kind = ATMOST_EXCLUSION }, ATMOST_ESHAPE, "k is 0" },
		{ { .kind = ATMOST_MUTEX, .k = 2 }, ATMOST_ESHAPE, "k is 2" },
		{ { .kind = ATMOST_EXCLUSION, .k = 3, .k_max = 2 },
		  ATMOST_ESHAPE, "k_max is 2" },
		{ { .kind = ATMOST_EXCLUSION, .k = 1, .sessions = 2 },
		  ATMOST_ESHAPE, "sessions is 2" },
		{ { .kind = ATMOST_EXCLUSION, .k = 1, .members = 1000000 },
		  ATMOST_ESHAPE, "members is 1000000" },
		{ { .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "bakery" },
		  ATMOST_ESHAPE, "bakery: k is 2, the most is 1" },
		{ { .kind = ATMOST_MUTEX, .members = 1,
		    .algorithm = "dijkstra" },
		  ATMOST_ESHAPE, "dijkstra: members is 1, the least is 2" },
		{ { .kind = ATMOST_ASSIGNMENT, .k = 1 }, ATMOST_EALGORITHM,
		  "assignment has no default" },
		{ { .kind = ATMOST_GROUP }, ATMOST_EALGORITHM,
		  "group has no default" },
		{ { .kind = ATMOST_ASSIGNMENT, .k = 1,
		    .algorithm = "k-ticket" },
		  ATMOST_EALGORITHM, "k-ticket is for k-exclusion" },
		{ { .kind = ATMOST_MUTEX, .algorithm = "queue-mutex" },
		  ATMOST_EALGORITHM, "checker only" },
	};
	struct atmost *object = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(bad[i].error,
				 atmost_create(&object, &bad[i].shape));
		expect_detail(bad[i].detail);
		assert_null(object);
	}
	assert_int_equal(ATMOST_ESHAPE, atmost_create(&object, NULL));
}

static void an_unknown_algorithm_is_answered_with_the_nearest(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_MUTEX };
	struct atmost *object;
	char long_name[1000];

	(void)state;
	shape.algorithm = "k-tiket";
	assert_int_equal(ATMOST_EALGORITHM, atmost_create(&object, &shape));
	expect_detail("\"k-tiket\"; the nearest is k-ticket");
	shape.algorithm = "am_induktion";
	assert_int_equal(ATMOST_EALGORITHM, atmost_create(&object, &shape));
	expect_detail("the nearest is am-induction");
	memset(long_name, 'x', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	shape.algorithm = long_name;
	assert_int_equal(ATMOST_EALGORITHM, atmost_create(&object, &shape));
}

static void an_object_that_does_not_fit_in_memory_is_refused(void **state)
{
	struct atmost_shape shape = {
		.kind = ATMOST_MUTEX, .members = 65535, .algorithm = "k-bakery",
	};
	struct atmost *object;

	(void)state;
	assert_int_equal(ATMOST_ENOMEM, atmost_create(&object, &shape));
}

/* Members. */

static void sixty_four_may_join_unless_the_shape_says_otherwise(void **state)
{
	struct atmost *object = make(NULL, 1, 0);
	struct atmost_member *first = join(object), *more = NULL;

	(void)state;
	for (unsigned i = 1; i < 64; i++)
		join(object);
	assert_int_equal(ATMOST_EFULL, atmost_join(object, &more));
	expect_detail("all 64 members");
	assert_null(more);
	atmost_part(first);
	join(object);
	atmost_close(object);
}

static void a_member_is_inside_or_outside(void **state)
{
	struct atmost *object = make(NULL, 1, 0);
	struct atmost_member *me = join(object);

	(void)state;
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_EINSIDE, atmost_enter(me, NULL));
	assert_int_equal(0, atmost_leave(me));
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
	atmost_part(me);
	atmost_close(object);
}

static void parting_inside_leaves_first(void **state)
{
	struct atmost *object = make("k-bakery", 1, 0);
	struct atmost_member *one = join(object), *two = join(object);

	(void)state;
	assert_int_equal(0, atmost_enter(one, NULL));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(two, &try));
	atmost_part(one);
	assert_int_equal(0, atmost_enter(two, &try));
	atmost_close(object);
	atmost_close(NULL);
	atmost_part(NULL);
}

static void a_member_belongs_to_the_thread_that_joined_it(void **state)
{
	struct atmost *object = make(NULL, 1, 0);
	struct atmost_member *me = join(object);

	(void)state;
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, enter).result);
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, enter).result);
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, atmost_leave).result);
	assert_int_equal(0, atmost_leave(me));
	atmost_close(object);
}

static void be_a_child(struct atmost *object, struct atmost_member *outside,
		       struct atmost_member *inside)
{
	struct atmost_member *mine = NULL;

	if (atmost_enter(outside, NULL) != ATMOST_EFORKED)
		_exit(1);
	if (atmost_leave(inside) != ATMOST_EFORKED)
		_exit(2);
	if (atmost_join(object, &mine) != ATMOST_EFORKED)
		_exit(3);
	atmost_part(outside);
	atmost_part(inside);
	atmost_close(object);
	_exit(0);
}

static void a_child_cannot_use_what_its_parent_joined(void **state)
{
	struct atmost *object = make(NULL, 1, 0);
	struct atmost_member *outside = join(object), *inside = join(object);
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(0, atmost_enter(inside, NULL));
	pid = fork();
	if (pid == 0)
		be_a_child(object, outside, inside);
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_int_equal(0, status);
	assert_int_equal(0, atmost_leave(inside));
	atmost_close(object);
}

/* Wants. */

static void try_says_busy_and_leaves_no_trace(void **state)
{
	struct atmost *object = make("k-bakery", 2, 4);
	struct atmost_member *member[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		member[i] = join(object);
	assert_int_equal(0, atmost_enter(member[0], &try));
	assert_int_equal(0, atmost_enter(member[1], &try));
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(ATMOST_EBUSY, atmost_enter(member[2], &try));
		assert_int_equal(ATMOST_EBUSY, atmost_enter(member[3], &try));
	}
	assert_string_equal(atmost_detail(), atmost_strerror(ATMOST_EBUSY));
	assert_int_equal(0, atmost_leave(member[0]));
	assert_int_equal(0, atmost_enter(member[3], &try));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[2], &try));
	assert_int_equal(0, atmost_leave(member[1]));
	assert_int_equal(0, atmost_enter(member[2], &try));
	atmost_close(object);
}

static void an_algorithm_that_cannot_give_up_says_so(void **state)
{
	static const char *const names[] = {
		"k-ticket", "am-induction", "bakery", "dijkstra",
	};
	const struct timespec late = { .tv_sec = 0 };
	const struct atmost_want limited = { .deadline = &late };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct atmost *object = make(names[i], 1, 2);
		struct atmost_member *me = join(object);

		assert_int_equal(ATMOST_ENOTABORTABLE, atmost_enter(me, &try));
		expect_detail(names[i]);
		assert_int_equal(ATMOST_ENOTABORTABLE,
				 atmost_enter(me, &limited));
		assert_int_equal(0, atmost_enter(me, NULL));
		atmost_close(object);
	}
}

static void a_want_that_makes_no_sense_is_refused(void **state)
{
	const struct timespec no_time = { .tv_nsec = 1000000000 };
	const struct atmost_want odd = { .flags = 6 };
	const struct atmost_want wrong = { .deadline = &no_time };
	const struct atmost_want nothing = { .flags = 0 };
	struct atmost *object = make("k-bakery", 1, 2);
	struct atmost_member *me = join(object);

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_enter(me, &odd));
	expect_detail("0x6");
	assert_int_equal(ATMOST_ESHAPE, atmost_enter(me, &wrong));
	expect_detail("1000000000");
	assert_int_equal(0, atmost_enter(me, &nothing));
	assert_int_equal(ATMOST_EINSIDE, atmost_enter(me, &nothing));
	atmost_close(object);
}

static atomic_uint signals;

static void count_signal(int signal)
{
	(void)signal;
	signals++;
}

struct waiter {
	struct atmost *object;
	atomic_bool inside;
};

static void *wait_in_line(void *argument)
{
	struct waiter *w = argument;
	struct atmost_member *me;

	if (atmost_join(w->object, &me) < 0 || atmost_enter(me, NULL) < 0)
		abort();
	w->inside = true;
	atmost_leave(me);
	return NULL;
}

static void a_signal_does_not_end_a_wait(void **state)
{
	static const char *const names[] = { "k-ticket", "k-bakery" };

	(void)state;
	signal(SIGUSR1, count_signal);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct waiter w = { .object = make(names[i], 1, 3) };
		struct atmost_member *me = join(w.object);
		pthread_t thread;

		signals = 0;
		assert_int_equal(0, atmost_enter(me, NULL));
		assert_int_equal(0, pthread_create(&thread, NULL, wait_in_line,
						   &w));
		for (unsigned j = 0; j < 10; j++) {
			usleep(5000);
			pthread_kill(thread, SIGUSR1);
		}
		while (signals == 0)
			usleep(1000);
		assert_false(w.inside);
		assert_int_equal(0, atmost_leave(me));
		pthread_join(thread, NULL);
		assert_true(w.inside);
		atmost_close(w.object);
	}
}

/* Words about failures. */

static void every_error_has_a_message_of_its_own(void **state)
{
#define CODE(name, code, message) code,
	static const int codes[] = { ATMOST_ERRORS(CODE) };
#undef CODE
	size_t count = sizeof codes / sizeof *codes;

	(void)state;
	assert_int_equal(20, count);
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

static int nothing(struct atmost_member *me)
{
	(void)me;
	return 0;
}

static void a_failure_is_told_to_its_own_thread(void **state)
{
	struct atmost *object = make(NULL, 1, 0);
	struct atmost_member *me = join(object);
	struct elsewhere e;

	(void)state;
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
	e = elsewhere(me, nothing);
	assert_string_equal("", e.detail);
	e = elsewhere(me, enter);
	assert_string_equal(atmost_strerror(ATMOST_ETHREAD), e.detail);
	assert_string_equal(atmost_strerror(ATMOST_EOUTSIDE), atmost_detail());
	atmost_close(object);
}

int main(void)
{
#define TEST(name) cmocka_unit_test(name)
	const struct CMUnitTest tests[] = {
		TEST(a_mutex_and_an_exclusion_have_a_default_algorithm),
		TEST(an_impossible_shape_is_refused_with_its_field),
		TEST(an_unknown_algorithm_is_answered_with_the_nearest),
		TEST(an_object_that_does_not_fit_in_memory_is_refused),
		TEST(sixty_four_may_join_unless_the_shape_says_otherwise),
		TEST(a_member_is_inside_or_outside),
		TEST(parting_inside_leaves_first),
		TEST(a_member_belongs_to_the_thread_that_joined_it),
		TEST(a_child_cannot_use_what_its_parent_joined),
		TEST(try_says_busy_and_leaves_no_trace),
		TEST(an_algorithm_that_cannot_give_up_says_so),
		TEST(a_want_that_makes_no_sense_is_refused),
		TEST(a_signal_does_not_end_a_wait),
		TEST(every_error_has_a_message_of_its_own),
		TEST(a_failure_is_told_to_its_own_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
