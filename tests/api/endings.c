/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests threads that end before their pool is closed, and pools that are closed
 * before their threads end.
 */
#include "folder.h"

#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct atmost_totals totals_of(struct atmost *pool)
{
	struct atmost_totals totals;

	assert_true(atmost_status(pool, NULL, 0, &totals) >= 0);
	return totals;
}

/* A thread with some members.  It ends when the test tells it to; its last
 * member may be inside then. */
struct thread {
	struct atmost *pool;
	unsigned members;
	bool enters;
	struct atmost_member *member;
	sem_t joined, end;
	pthread_t thread;
};

static void *join_and_wait(void *argument)
{
	struct thread *l = argument;

	for (unsigned i = 0; i < l->members; i++)
		if (atmost_join(l->pool, &l->member) < 0)
			abort();
	if (l->enters && atmost_enter(l->member, NULL) < 0)
		abort();
	sem_post(&l->joined);
	sem_wait(&l->end);
	return NULL;
}

static void thread_start(struct thread *l)
{
	sem_init(&l->joined, 0, 0);
	sem_init(&l->end, 0, 0);
	assert_int_equal(0, pthread_create(&l->thread, NULL, join_and_wait, l));
	sem_wait(&l->joined);
}

static void thread_end(struct thread *l)
{
	sem_post(&l->end);
	pthread_join(l->thread, NULL);
}

static void a_thread_that_ends_is_parted(void **state)
{
	static const char *const names[] = {
		"roster", "k-bakery", "k-ticket", "renaming", "room", "hall",
	};
	enum { THREADS = 20 };

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		struct atmost *pool = make(names[i], THREADS, 3 * THREADS);
		struct atmost_totals totals;

		for (unsigned j = 0; j < 2; j++) {
			struct thread all[THREADS];

			for (unsigned t = 0; t < THREADS; t++) {
				all[t] = (struct thread){ .pool = pool,
							  .members = 3,
							  .enters = true };
				thread_start(&all[t]);
			}
			totals = totals_of(pool);
			assert_int_equal(3 * THREADS, totals.members);
			assert_int_equal(THREADS, totals.holders);
			for (unsigned t = 0; t < THREADS; t++)
				thread_end(&all[t]);
			totals = totals_of(pool);
			assert_int_equal(0, totals.members);
			assert_int_equal(0, totals.holders);
			assert_int_equal(0, totals.lost);
			assert_int_equal(0, totals.recovered);
		}
		atmost_close(pool);
	}
}

static void a_pool_may_be_closed_before_its_threads_end(void **state)
{
	(void)state;
	for (unsigned named = 0; named < 2; named++) {
		struct atmost *pool = named ? open_pool("pool", "roster", 2, 9)
					    : make("roster", 2, 9);
		struct thread l = { .pool = pool, .members = 3 };

		thread_start(&l);
		join(pool);
		atmost_close(pool);
		thread_end(&l);
		/* The records of the thread are free again. */
		if (!named)
			continue;
		pool = open_pool("pool", NULL, 0, 0);
		assert_int_equal(0, totals_of(pool).members);
		for (unsigned i = 0; i < 9; i++)
			join(pool);
		assert_int_equal(9, totals_of(pool).members);
		atmost_close(pool);
	}
}

/* Runs a thread that joins another pool after its first pool was closed. */
static void *join_another(void *argument)
{
	struct thread *l = argument;
	struct atmost *another;
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 1,
		.algorithm = "roster",
	};

	join_and_wait(l);
	if (atmost_create(&another, &shape) < 0 ||
	    atmost_join(another, &l->member) < 0 ||
	    atmost_enter(l->member, NULL) < 0)
		abort();
	atmost_close(another);
	return NULL;
}

static void a_thread_whose_pool_was_closed_may_join_another(void **state)
{
	struct thread l = { .pool = make("roster", 2, 9), .members = 2 };

	(void)state;
	sem_init(&l.joined, 0, 0);
	sem_init(&l.end, 0, 0);
	assert_int_equal(0, pthread_create(&l.thread, NULL, join_another, &l));
	sem_wait(&l.joined);
	atmost_close(l.pool);
	thread_end(&l);
}

static void a_thread_may_end_while_its_pool_is_being_closed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct thread l = { .pool = make("roster", 2, 9),
				    .members = 4 };

		thread_start(&l);
		sem_post(&l.end);
		atmost_close(l.pool);
		pthread_join(l.thread, NULL);
	}
}

static void closing_a_pool_leaves_it_first(void **state)
{
	static const char *const names[] = { "roster", "k-bakery", "k-ticket",
					     "room", "hall" };

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		struct atmost *pool = open_pool(names[i], names[i], 2, 9);
		struct atmost *watch = open_pool(names[i], NULL, 0, 0);

		assert_true(atmost_enter(join(pool), NULL) >= 0);
		assert_true(atmost_enter(join(pool), NULL) >= 0);
		join(pool);
		assert_int_equal(2, totals_of(watch).holders);
		atmost_close(pool);
		assert_int_equal(0, totals_of(watch).holders);
		assert_int_equal(0, totals_of(watch).members);
		assert_int_equal(0, totals_of(watch).recovered);
		atmost_close(watch);
	}
}

static void a_thread_may_have_several_members(void **state)
{
	struct atmost *pool = make("roster", 3, 5);
	struct atmost_member *member[5];
	unsigned slots = 0;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		member[i] = join(pool);
	for (unsigned i = 0; i < 3; i++)
		slots |= 1u << atmost_enter(member[i], &try);
	assert_int_equal(7, slots);
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[3], &try));
	/* Members may part in any order. */
	atmost_part(member[1]);
	assert_int_equal(1, atmost_enter(member[4], &try));
	atmost_part(member[0]);
	atmost_part(member[4]);
	assert_int_equal(1, totals_of(pool).holders);
	assert_int_equal(2, totals_of(pool).members);
	atmost_close(pool);
}

static void joining_and_parting_costs_no_memory(void **state)
{
	struct atmost *pool = make("roster", 2, 5);
	size_t before = 0, after;

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		struct atmost_member *me = join(pool);

		assert_true(atmost_enter(me, NULL) >= 0);
		atmost_part(me);
		if (i == 10)
			before = mallinfo2().uordblks;
	}
	after = mallinfo2().uordblks;
	/* The C library may keep some memory.  A leak would be at least one
	 * byte per passage, about 2000 bytes in total. */
	assert_true(after < before + 1990);
	assert_int_equal(0, totals_of(pool).members);
	atmost_close(pool);
}

static int join_often_and_be_killed(const void *name)
{
	struct atmost *pool;
	struct atmost_member *me;
	unsigned count = 0;
	int error;

	if (atmost_open(&pool, name, NULL) < 0)
		return 1;
	while ((error = atmost_join(pool, &me)) == 0)
		count++;
	if (error != ATMOST_EFULL || count < 1000)
		return 2;
	return kill(getpid(), SIGKILL);
}

/* When a thread dies, the kernel reads at most 2048 of its locks. */
static void a_thread_cannot_have_more_members_than_can_be_recovered(
	void **state)
{
	struct atmost *pool = open_pool("pool", "k-ticket", 1, 3000);
	struct atmost_totals totals;

	(void)state;
	assert_int_equal(-SIGKILL, in_child(join_often_and_be_killed, "pool"));
	totals = totals_of(pool);
	assert_int_equal(0, totals.members);
	assert_true(totals.recovered >= 1000);
	atmost_close(pool);
}

/* A thread that joins each pool that the test passes to it.  Its last member
 * may be inside. */
struct joiner {
	struct atmost *pool; /* NULL: the thread ends */
	bool enters;
	int result;
	sem_t go, done;
};

static void *join_each(void *argument)
{
	struct joiner *j = argument;
	struct atmost_member *me;

	while (sem_wait(&j->go) == 0 && j->pool) {
		j->result = atmost_join(j->pool, &me);
		if (j->result == 0 && j->enters)
			j->result = atmost_enter(me, NULL);
		sem_post(&j->done);
	}
	return NULL;
}

static int join_one(struct joiner *j, struct atmost *pool)
{
	j->pool = pool;
	sem_post(&j->go);
	sem_wait(&j->done);
	return j->result;
}

/*
 * Joins and closes pools one after the other: more pools than the number of
 * members that one thread can have at the same time.
 */
static int join_many(struct joiner *j, bool named)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 1,
		.members = 2,
		.algorithm = "roster",
	};
	struct atmost *pool;

	for (unsigned i = 0; i < 3000; i++) {
		if ((named ? atmost_open(&pool, "closed", &shape)
			   : atmost_create(&pool, &shape)) < 0)
			return 1;
		if (join_one(j, pool) < 0) {
			fprintf(stderr, "pool %u: %s\n", i,
				atmost_strerror(j->result));
			return 2;
		}
		atmost_close(pool);
		if (named && atmost_unlink("closed") < 0)
			return 3;
	}
	return 0;
}

static int join_many_and_be_killed(const void *named)
{
	struct joiner joiner = { .enters = false };
	struct atmost *pool;
	pthread_t thread;
	int error;

	sem_init(&joiner.go, 0, 0);
	sem_init(&joiner.done, 0, 0);
	if (pthread_create(&thread, NULL, join_each, &joiner) != 0)
		return 4;
	error = join_many(&joiner, *(const bool *)named);
	if (error)
		return error;
	joiner.enters = true;
	if (atmost_open(&pool, "pool", NULL) < 0 || join_one(&joiner, pool) < 0)
		return 5;
	return kill(getpid(), SIGKILL);
}

static void members_of_closed_pools_do_not_count_for_their_thread(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 3);

	(void)state;
	for (unsigned named = 0; named < 2; named++) {
		const bool is_named = named;

		assert_int_equal(-SIGKILL,
				 in_child(join_many_and_be_killed, &is_named));
		/* The library notices the death of the thread. */
		assert_int_equal(0, totals_of(pool).holders);
		assert_int_equal(0, totals_of(pool).members);
		assert_int_equal(named + 1, totals_of(pool).recovered);
	}
	atmost_close(pool);
}

/* A destructor of the test, which may run after the library's destructor. */
static pthread_key_t destructor;

static void fail_in_destructor(void *member)
{
	struct atmost *pool;

	(void)member;
	if (atmost_open(&pool, "no/name", NULL) != ATMOST_ENAME ||
	    !strstr(atmost_detail(), "no/name"))
		abort();
}

static void *fail_and_end(void *unused)
{
	(void)unused;
	fail_in_destructor(NULL);
	pthread_setspecific(destructor, &destructor);
	return NULL;
}

static void run_threads_that_fail(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		pthread_t thread;

		assert_int_equal(0, pthread_create(&thread, NULL, fail_and_end,
						   NULL));
		pthread_join(thread, NULL);
	}
}

/*
 * Called in two children: in one the test's key is created before the library's
 * key, in the other after it.
 */
static int fail_at_the_end(const void *first)
{
	struct atmost *pool;
	size_t before;

	if (*(const bool *)first)
		pthread_key_create(&destructor, fail_in_destructor);
	atmost_open(&pool, "no/name", NULL);
	if (!*(const bool *)first)
		pthread_key_create(&destructor, fail_in_destructor);
	run_threads_that_fail(10);
	before = mallinfo2().uordblks;
	run_threads_that_fail(200);
	/* The C library may keep some memory; a leak would be 512 bytes per
	 * thread. */
	return mallinfo2().uordblks < before + 200 * 100 ? 0 : 1;
}

static void the_detail_of_a_failure_lasts_until_the_thread_ends(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool first = i;

		assert_int_equal(0, in_child(fail_at_the_end, &first));
	}
}

/* Uses the member of another thread. */
static void *use_member(void *member)
{
	if (atmost_enter(member, NULL) != ATMOST_ETHREAD ||
	    atmost_leave(member) != ATMOST_ETHREAD)
		return "could use it";
	atmost_part(member);
	return strcmp(atmost_detail(), atmost_strerror(ATMOST_ETHREAD)) == 0
		       ? NULL
		       : "could part it";
}

static void another_thread_cannot_part_a_member(void **state)
{
	struct atmost *pool = make("roster", 1, 3);
	struct atmost_member *me = join(pool);
	pthread_t thread;
	void *result;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(0,
				 pthread_create(&thread, NULL, use_member, me));
		pthread_join(thread, &result);
		assert_null(result);
		assert_int_equal(1, totals_of(pool).members);
		assert_int_equal(i, totals_of(pool).holders);
		if (i == 0)
			assert_int_equal(0, atmost_enter(me, NULL));
	}
	assert_int_equal(0, atmost_leave(me));
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_thread_that_ends_is_parted),
		TEST_IN_FOLDER(a_pool_may_be_closed_before_its_threads_end),
		TEST_IN_FOLDER(a_thread_whose_pool_was_closed_may_join_another),
		TEST_IN_FOLDER(a_thread_may_end_while_its_pool_is_being_closed),
		TEST_IN_FOLDER(closing_a_pool_leaves_it_first),
		TEST_IN_FOLDER(a_thread_may_have_several_members),
		TEST_IN_FOLDER(joining_and_parting_costs_no_memory),
		TEST_IN_FOLDER(
			a_thread_cannot_have_more_members_than_can_be_recovered),
		TEST_IN_FOLDER(
			members_of_closed_pools_do_not_count_for_their_thread),
		TEST_IN_FOLDER(
			the_detail_of_a_failure_lasts_until_the_thread_ends),
		TEST_IN_FOLDER(another_thread_cannot_part_a_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
