/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that end and objects that are closed, each before the other.
 */
#include "folder.h"

#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct atmost_totals totals_of(struct atmost *object)
{
	struct atmost_totals totals;

	assert_true(atmost_status(object, NULL, 0, &totals) >= 0);
	return totals;
}

/* A thread that has members until it may end; inside with the last. */
struct lodger {
	struct atmost *object;
	unsigned members;
	bool enters;
	struct atmost_member *member;
	sem_t joined, end;
	pthread_t thread;
};

static void *lodge(void *argument)
{
	struct lodger *l = argument;

	for (unsigned i = 0; i < l->members; i++)
		if (atmost_join(l->object, &l->member) < 0)
			abort();
	if (l->enters && atmost_enter(l->member, NULL) < 0)
		abort();
	sem_post(&l->joined);
	sem_wait(&l->end);
	return NULL;
}

static void take_in(struct lodger *l)
{
	sem_init(&l->joined, 0, 0);
	sem_init(&l->end, 0, 0);
	assert_int_equal(0, pthread_create(&l->thread, NULL, lodge, l));
	sem_wait(&l->joined);
}

static void turn_out(struct lodger *l)
{
	sem_post(&l->end);
	pthread_join(l->thread, NULL);
}

static void a_thread_that_ends_is_parted(void **state)
{
	static const char *const names[] = {
		"roster", "k-bakery", "k-ticket", "renaming", "room",
	};
	enum { THREADS = 20 };

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		struct atmost *object = make(names[i], THREADS, 3 * THREADS);
		struct atmost_totals totals;

		for (unsigned j = 0; j < 2; j++) {
			struct lodger all[THREADS];

			for (unsigned t = 0; t < THREADS; t++) {
				all[t] = (struct lodger){ .object = object,
							  .members = 3,
							  .enters = true };
				take_in(&all[t]);
			}
			totals = totals_of(object);
			assert_int_equal(3 * THREADS, totals.members);
			assert_int_equal(THREADS, totals.holders);
			for (unsigned t = 0; t < THREADS; t++)
				turn_out(&all[t]);
			totals = totals_of(object);
			assert_int_equal(0, totals.members);
			assert_int_equal(0, totals.holders);
			assert_int_equal(0, totals.lost);
			assert_int_equal(0, totals.recovered);
		}
		atmost_close(object);
	}
}

static void an_object_may_be_closed_before_its_threads_end(void **state)
{
	(void)state;
	for (unsigned named = 0; named < 2; named++) {
		struct atmost *object = named ? open_object("pool", "roster", 2,
							    9)
					      : make("roster", 2, 9);
		struct lodger l = { .object = object, .members = 3 };

		take_in(&l);
		join(object);
		atmost_close(object);
		turn_out(&l);
		/* What the thread had is to be had again. */
		if (!named)
			continue;
		object = open_object("pool", NULL, 0, 0);
		assert_int_equal(0, totals_of(object).members);
		for (unsigned i = 0; i < 9; i++)
			join(object);
		assert_int_equal(9, totals_of(object).members);
		atmost_close(object);
	}
}

/* And the thread goes on with another object. */
static void *join_another(void *argument)
{
	struct lodger *l = argument;
	struct atmost *another;
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 1,
		.algorithm = "roster",
	};

	lodge(l);
	if (atmost_create(&another, &shape) < 0 ||
	    atmost_join(another, &l->member) < 0 ||
	    atmost_enter(l->member, NULL) < 0)
		abort();
	atmost_close(another);
	return NULL;
}

static void whose_object_was_closed_may_join_another(void **state)
{
	struct lodger l = { .object = make("roster", 2, 9), .members = 2 };

	(void)state;
	sem_init(&l.joined, 0, 0);
	sem_init(&l.end, 0, 0);
	assert_int_equal(0, pthread_create(&l.thread, NULL, join_another, &l));
	sem_wait(&l.joined);
	atmost_close(l.object);
	turn_out(&l);
}

static void a_thread_may_end_while_its_object_is_closed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct lodger l = { .object = make("roster", 2, 9),
				    .members = 4 };

		take_in(&l);
		sem_post(&l.end);
		atmost_close(l.object);
		pthread_join(l.thread, NULL);
	}
}

static void closing_leaves_first(void **state)
{
	static const char *const names[] = { "roster", "k-bakery", "k-ticket",
					     "room" };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct atmost *object = open_object(names[i], names[i], 2, 9);
		struct atmost *watch = open_object(names[i], NULL, 0, 0);

		assert_true(atmost_enter(join(object), NULL) >= 0);
		assert_true(atmost_enter(join(object), NULL) >= 0);
		join(object);
		assert_int_equal(2, totals_of(watch).holders);
		atmost_close(object);
		assert_int_equal(0, totals_of(watch).holders);
		assert_int_equal(0, totals_of(watch).members);
		assert_int_equal(0, totals_of(watch).recovered);
		atmost_close(watch);
	}
}

static void a_thread_may_have_several_members(void **state)
{
	struct atmost *object = make("roster", 3, 5);
	struct atmost_member *member[5];
	unsigned slots = 0;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		member[i] = join(object);
	for (unsigned i = 0; i < 3; i++)
		slots |= 1u << atmost_enter(member[i], &try);
	assert_int_equal(7, slots);
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[3], &try));
	/* In whatever order. */
	atmost_part(member[1]);
	assert_int_equal(1, atmost_enter(member[4], &try));
	atmost_part(member[0]);
	atmost_part(member[4]);
	assert_int_equal(1, totals_of(object).holders);
	assert_int_equal(2, totals_of(object).members);
	atmost_close(object);
}

static void joining_and_parting_costs_no_memory(void **state)
{
	struct atmost *object = make("roster", 2, 5);
	size_t before = 0, after;

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		struct atmost_member *me = join(object);

		assert_true(atmost_enter(me, NULL) >= 0);
		atmost_part(me);
		if (i == 10)
			before = mallinfo2().uordblks;
	}
	after = mallinfo2().uordblks;
	/* The C library may keep something of its own; a leak would be 2000. */
	assert_true(after < before + 1990);
	assert_int_equal(0, totals_of(object).members);
	atmost_close(object);
}

static int join_often_and_be_killed(const void *name)
{
	struct atmost *object;
	struct atmost_member *me;
	unsigned count = 0;
	int error;

	if (atmost_open(&object, name, NULL) < 0)
		return 1;
	while ((error = atmost_join(object, &me)) == 0)
		count++;
	if (error != ATMOST_EFULL || count < 1000)
		return 2;
	return kill(getpid(), SIGKILL);
}

/* The kernel looks at 2048 locks of a thread that ended, and no more. */
static void no_thread_has_more_members_than_can_be_found_dead(void **state)
{
	struct atmost *object = open_object("pool", "k-ticket", 1, 3000);
	struct atmost_totals totals;

	(void)state;
	assert_int_equal(-SIGKILL, in_child(join_often_and_be_killed, "pool"));
	totals = totals_of(object);
	assert_int_equal(0, totals.members);
	assert_true(totals.recovered >= 1000);
	atmost_close(object);
}

/* A thread that joins every object it is handed; inside with the last. */
struct guest {
	struct atmost *object; /* NULL: the thread ends */
	bool enters;
	int result;
	sem_t go, done;
};

static void *visit(void *argument)
{
	struct guest *g = argument;
	struct atmost_member *me;

	while (sem_wait(&g->go) == 0 && g->object) {
		g->result = atmost_join(g->object, &me);
		if (g->result == 0 && g->enters)
			g->result = atmost_enter(me, NULL);
		sem_post(&g->done);
	}
	return NULL;
}

static int visit_one(struct guest *g, struct atmost *object)
{
	g->object = object;
	sem_post(&g->go);
	sem_wait(&g->done);
	return g->result;
}

/* More objects than one thread can have members at the same time. */
static int visit_many(struct guest *g, bool named)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = 1,
		.members = 2,
		.algorithm = "roster",
	};
	struct atmost *object;

	for (unsigned i = 0; i < 3000; i++) {
		if ((named ? atmost_open(&object, "closed", &shape)
			   : atmost_create(&object, &shape)) < 0)
			return 1;
		if (visit_one(g, object) < 0) {
			fprintf(stderr, "object %u: %s\n", i,
				atmost_strerror(g->result));
			return 2;
		}
		atmost_close(object);
		if (named && atmost_unlink("closed") < 0)
			return 3;
	}
	return 0;
}

static int visit_many_and_be_killed(const void *named)
{
	struct guest guest = { .enters = false };
	struct atmost *object;
	pthread_t thread;
	int error;

	sem_init(&guest.go, 0, 0);
	sem_init(&guest.done, 0, 0);
	if (pthread_create(&thread, NULL, visit, &guest) != 0)
		return 4;
	error = visit_many(&guest, *(const bool *)named);
	if (error)
		return error;
	guest.enters = true;
	if (atmost_open(&object, "pool", NULL) < 0 ||
	    visit_one(&guest, object) < 0)
		return 5;
	return kill(getpid(), SIGKILL);
}

static void a_closed_object_counts_for_no_thread(void **state)
{
	struct atmost *object = open_object("pool", "roster", 1, 3);

	(void)state;
	for (unsigned named = 0; named < 2; named++) {
		const bool is_named = named;

		assert_int_equal(-SIGKILL,
				 in_child(visit_many_and_be_killed, &is_named));
		/* The death of such a thread is noticed like any other. */
		assert_int_equal(0, totals_of(object).holders);
		assert_int_equal(0, totals_of(object).members);
		assert_int_equal(named + 1, totals_of(object).recovered);
	}
	atmost_close(object);
}

/* A destructor of the thread's own, which may run after the library's. */
static pthread_key_t last_words;

static void fail_in_words(void *member)
{
	struct atmost *object;

	(void)member;
	if (atmost_open(&object, "no/name", NULL) != ATMOST_ENAME ||
	    !strstr(atmost_detail(), "no/name"))
		abort();
}

static void *fail_and_end(void *unused)
{
	(void)unused;
	fail_in_words(NULL);
	pthread_setspecific(last_words, &last_words);
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

/* In children, so that the keys are made in both orders. */
static int fail_at_the_end(const void *first)
{
	struct atmost *object;
	size_t before;

	if (*(const bool *)first)
		pthread_key_create(&last_words, fail_in_words);
	atmost_open(&object, "no/name", NULL);
	if (!*(const bool *)first)
		pthread_key_create(&last_words, fail_in_words);
	run_threads_that_fail(10);
	before = mallinfo2().uordblks;
	run_threads_that_fail(200);
	/* The C library may keep something of its own; a leak would be 512
	 * bytes a thread. */
	return mallinfo2().uordblks < before + 200 * 100 ? 0 : 1;
}

static void a_failure_is_told_until_the_threads_end(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool first = i;

		assert_int_equal(0, in_child(fail_at_the_end, &first));
	}
}

/* As whoever keeps the pointer of a thread that is no more. */
static void *use_it(void *member)
{
	if (atmost_enter(member, NULL) != ATMOST_ETHREAD ||
	    atmost_leave(member) != ATMOST_ETHREAD)
		return "could use it";
	atmost_part(member);
	return strcmp(atmost_detail(), atmost_strerror(ATMOST_ETHREAD)) == 0
		       ? NULL
		       : "could part it";
}

static void a_member_is_not_parted_by_another_thread(void **state)
{
	struct atmost *object = make("roster", 1, 3);
	struct atmost_member *me = join(object);
	pthread_t thread;
	void *result;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(0, pthread_create(&thread, NULL, use_it, me));
		pthread_join(thread, &result);
		assert_null(result);
		assert_int_equal(1, totals_of(object).members);
		assert_int_equal(i, totals_of(object).holders);
		if (i == 0)
			assert_int_equal(0, atmost_enter(me, NULL));
	}
	assert_int_equal(0, atmost_leave(me));
	atmost_close(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_thread_that_ends_is_parted),
		TEST_IN_FOLDER(an_object_may_be_closed_before_its_threads_end),
		TEST_IN_FOLDER(whose_object_was_closed_may_join_another),
		TEST_IN_FOLDER(a_thread_may_end_while_its_object_is_closed),
		TEST_IN_FOLDER(closing_leaves_first),
		TEST_IN_FOLDER(a_thread_may_have_several_members),
		TEST_IN_FOLDER(joining_and_parting_costs_no_memory),
		TEST_IN_FOLDER(
			no_thread_has_more_members_than_can_be_found_dead),
		TEST_IN_FOLDER(a_closed_object_counts_for_no_thread),
		TEST_IN_FOLDER(a_failure_is_told_until_the_threads_end),
		TEST_IN_FOLDER(a_member_is_not_parted_by_another_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
