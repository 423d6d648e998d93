/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests joining, parting, and the thread to which a member belongs. */
#include "api.h"

#include <sys/wait.h>
#include <unistd.h>

/* A call that another thread makes, with its result. */
struct elsewhere {
	struct atmost_member *member;
	int (*call)(struct atmost_member *);
	int result;
	char detail[256];
};

static void *run_elsewhere(void *argument)
{
	struct elsewhere *e = argument;

	e->result = e->call(e->member);
	snprintf(e->detail, sizeof e->detail, "%s", atmost_detail());
	return NULL;
}

static struct elsewhere elsewhere(struct atmost_member *member,
				  int (*call)(struct atmost_member *))
{
	struct elsewhere e = { .member = member, .call = call };
	pthread_t thread;

	assert_int_equal(0, pthread_create(&thread, NULL, run_elsewhere, &e));
	pthread_join(thread, NULL);
	return e;
}

static int enter(struct atmost_member *me)
{
	return atmost_enter(me, NULL);
}

static void sixty_four_members_may_join_by_default(void **state)
{
	struct atmost *pool = make(NULL, 1, 0);
	struct atmost_member *first = join(pool), *more = NULL;

	(void)state;
	for (unsigned i = 1; i < 64; i++)
		join(pool);
	assert_int_equal(ATMOST_EFULL, atmost_join(pool, &more));
	expect_detail("all 64 members");
	assert_null(more);
	atmost_part(first);
	join(pool);
	atmost_close(pool);
}

static void a_member_can_enter_and_leave_only_in_turn(void **state)
{
	struct atmost *pool = make(NULL, 1, 0);
	struct atmost_member *me = join(pool);

	(void)state;
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_EINSIDE, atmost_enter(me, NULL));
	assert_int_equal(0, atmost_leave(me));
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
	atmost_part(me);
	atmost_close(pool);
}

static void parting_inside_leaves_first(void **state)
{
	struct atmost *pool = make("k-bakery", 1, 0);
	struct atmost_member *one = join(pool), *two = join(pool);

	(void)state;
	assert_int_equal(0, atmost_enter(one, NULL));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(two, &try));
	atmost_part(one);
	assert_int_equal(0, atmost_enter(two, &try));
	atmost_close(pool);
	atmost_close(NULL);
	atmost_part(NULL);
}

static void a_member_belongs_to_the_thread_that_joined_it(void **state)
{
	struct atmost *pool = make(NULL, 1, 0);
	struct atmost_member *me = join(pool);

	(void)state;
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, enter).result);
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, enter).result);
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, atmost_leave).result);
	assert_int_equal(0, atmost_leave(me));
	atmost_close(pool);
}

static void use_in_child(struct atmost *pool, struct atmost_member *outside,
			 struct atmost_member *inside)
{
	struct atmost_member *mine = NULL;

	if (atmost_enter(outside, NULL) != ATMOST_EFORKED)
		_exit(1);
	if (atmost_leave(inside) != ATMOST_EFORKED)
		_exit(2);
	if (atmost_join(pool, &mine) != ATMOST_EFORKED)
		_exit(3);
	atmost_part(outside);
	atmost_part(inside);
	atmost_close(pool);
	_exit(0);
}

static int token_of(struct atmost_member *me)
{
	uint64_t token;

	return atmost_token(me, &token);
}

static void a_holder_of_one_machine_cannot_lose_its_slot(void **state)
{
	struct atmost *pool = make(NULL, 1, 0);
	struct atmost_member *me = join(pool);
	struct timespec until, now;
	uint64_t token = 1;

	(void)state;
	assert_int_equal(ATMOST_EOUTSIDE, atmost_token(me, &token));
	assert_int_equal(ATMOST_EOUTSIDE, atmost_until(me, &until));
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(0, atmost_token(me, &token));
	assert_int_equal(0, token);
	assert_int_equal(0, atmost_until(me, &until));
	clock_gettime(CLOCK_BOOTTIME, &now);
	assert_true(until.tv_sec > now.tv_sec + INT64_C(1000000000));
	assert_in_range(until.tv_nsec, 0, 999999999);
	assert_int_equal(ATMOST_EUNSUPPORTED, atmost_lapse_fd(me));
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, token_of).result);
	assert_int_equal(ATMOST_ETHREAD, elsewhere(me, atmost_lapse_fd).result);
	atmost_close(pool);
}

static void a_child_cannot_use_the_members_of_its_parent(void **state)
{
	struct atmost *pool = make(NULL, 1, 0);
	struct atmost_member *outside = join(pool), *inside = join(pool);
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(0, atmost_enter(inside, NULL));
	pid = fork();
	if (pid == 0)
		use_in_child(pool, outside, inside);
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_int_equal(0, status);
	assert_int_equal(0, atmost_leave(inside));
	atmost_close(pool);
}

static int nothing(struct atmost_member *me)
{
	(void)me;
	return 0;
}

static void the_detail_of_a_failure_belongs_to_its_thread(void **state)
{
	struct atmost *pool = make(NULL, 1, 0);
	struct atmost_member *me = join(pool);
	struct elsewhere e;

	(void)state;
	assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
	e = elsewhere(me, nothing);
	assert_string_equal("", e.detail);
	e = elsewhere(me, enter);
	assert_string_equal(atmost_strerror(ATMOST_ETHREAD), e.detail);
	assert_string_equal(atmost_strerror(ATMOST_EOUTSIDE), atmost_detail());
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sixty_four_members_may_join_by_default),
		TEST(a_member_can_enter_and_leave_only_in_turn),
		TEST(parting_inside_leaves_first),
		TEST(a_member_belongs_to_the_thread_that_joined_it),
		TEST(a_holder_of_one_machine_cannot_lose_its_slot),
		TEST(a_child_cannot_use_the_members_of_its_parent),
		TEST(the_detail_of_a_failure_belongs_to_its_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
