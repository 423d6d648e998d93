/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests pools and members in forked children. */
#include "common/clock.h"
#include "folder.h"

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child inherits. */
struct scenario {
	struct atmost *pool;
	struct atmost_member *inside, *outside, *of_thread;
	const struct atmost_want *rival; /* fails while `inside` is inside */
};

#define EXPECT(condition)                                               \
	do {                                                            \
		if (!(condition)) {                                     \
			fprintf(stderr, "false: %s (%s)\n", #condition, \
				atmost_detail());                       \
			return 1;                                       \
		}                                                       \
	} while (0)

static int use_the_members(const void *argument)
{
	const struct scenario *s = argument;

	EXPECT(atmost_enter(s->outside, NULL) == ATMOST_EFORKED);
	EXPECT(atmost_enter(s->inside, &try) == ATMOST_EFORKED);
	EXPECT(atmost_leave(s->inside) == ATMOST_EFORKED);
	EXPECT(atmost_leave(s->outside) == ATMOST_EFORKED);
	EXPECT(strstr(atmost_detail(), "parent of this process") != NULL);
	return 0;
}

static int use_a_created_pool(const void *argument)
{
	const struct scenario *s = argument;
	struct atmost_member *me = NULL;

	EXPECT(use_the_members(argument) == 0);
	EXPECT(atmost_join(s->pool, &me) == ATMOST_EFORKED);
	EXPECT(strstr(atmost_detail(), "opened by name") != NULL);
	EXPECT(atmost_status(s->pool, NULL, 0, NULL) == ATMOST_EFORKED);
	EXPECT(atmost_resize(s->pool, 2) == ATMOST_EFORKED);
	atmost_part(s->inside);
	atmost_close(s->pool);
	return 0;
}

static int use_an_opened_pool(const void *argument)
{
	const struct scenario *s = argument;
	struct atmost_member *me = NULL;
	struct atmost_totals totals;

	EXPECT(use_the_members(argument) == 0);
	EXPECT(atmost_join(s->pool, &me) == 0);
	EXPECT(me != s->inside && me != s->outside);
	EXPECT(atmost_leave(s->inside) == ATMOST_EFORKED);
	EXPECT(atmost_enter(s->outside, NULL) == ATMOST_EFORKED);
	EXPECT(atmost_enter(me, s->rival) == ATMOST_EBUSY);
	atmost_part(s->inside);
	EXPECT(atmost_enter(me, s->rival) == ATMOST_EBUSY);
	EXPECT(atmost_status(s->pool, NULL, 0, &totals) == 1);
	EXPECT(totals.members == 3 && totals.recovered == 0);
	atmost_close(s->pool);
	return 0;
}

static int leave_it_to_the_kernel(const void *argument)
{
	const struct scenario *s = argument;
	struct atmost_member *me = NULL;

	EXPECT(atmost_join(s->pool, &me) == 0);
	return 0;
}

static struct scenario prepare(struct atmost *pool)
{
	struct scenario s = { pool, join(pool), join(pool), NULL, &try };

	assert_int_equal(0, atmost_enter(s.inside, NULL));
	return s;
}

static void a_child_cannot_use_a_created_pool(void **state)
{
	struct scenario s = prepare(make("roster", 1, 4));

	(void)state;
	assert_int_equal(0, in_child(use_a_created_pool, &s));
	assert_int_equal(0, atmost_leave(s.inside));
	atmost_close(s.pool);
}

static void a_child_can_join_an_opened_pool_anew(void **state)
{
	static const char *const names[] = { "roster", "k-bakery", "room",
					     "hall" };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct scenario s = prepare(
			open_pool(names[i], names[i], 1, 4));
		struct atmost_totals totals;

		s.rival = rival_try(names[i]);
		assert_int_equal(0, in_child(use_an_opened_pool, &s));
		assert_int_equal(0, in_child(leave_it_to_the_kernel, &s));
		assert_int_equal(1, atmost_status(s.pool, NULL, 0, &totals));
		assert_int_equal(2, totals.members);
		assert_int_equal(1, totals.recovered);
		assert_int_equal(ATMOST_EBUSY,
				 atmost_enter(s.outside, s.rival));
		assert_int_equal(0, atmost_leave(s.inside));
		/* The slot of a member of hall is its id. */
		assert_int_equal(is_hall(names[i]),
				 atmost_enter(s.outside, s.rival));
		atmost_close(s.pool);
	}
}

static int fork_again(const void *argument)
{
	const struct scenario *s = argument;
	struct scenario mine = { .pool = s->pool, .rival = s->rival };

	EXPECT(atmost_join(mine.pool, &mine.inside) == 0);
	EXPECT(atmost_join(mine.pool, &mine.outside) == 0);
	EXPECT(atmost_enter(mine.inside, NULL) >= 0);
	EXPECT(in_child(use_the_members, &mine) == 0);
	EXPECT(in_child(use_the_members, s) == 0);
	EXPECT(atmost_leave(mine.inside) == 0);
	return 0;
}

static void a_child_of_a_child_can_join_an_opened_pool_anew(void **state)
{
	struct scenario s = prepare(open_pool("pool", "roster", 2, 8));

	(void)state;
	assert_int_equal(0, in_child(fork_again, &s));
	assert_int_equal(0, atmost_leave(s.inside));
	atmost_close(s.pool);
}

/* A thread with a member.  It ends when the test tells it to. */
struct thread {
	struct atmost *pool;
	struct atmost_member *member;
	sem_t joined, end;
	pthread_t thread;
};

static void *join_and_wait(void *argument)
{
	struct thread *l = argument;

	if (atmost_join(l->pool, &l->member) < 0)
		abort();
	sem_post(&l->joined);
	sem_wait(&l->end);
	return NULL;
}

static int thread_start(struct thread *l, struct atmost *pool)
{
	l->pool = pool;
	sem_init(&l->joined, 0, 0);
	sem_init(&l->end, 0, 0);
	if (pthread_create(&l->thread, NULL, join_and_wait, l))
		return -1;
	return sem_wait(&l->joined);
}

static void thread_end(struct thread *l)
{
	sem_post(&l->end);
	pthread_join(l->thread, NULL);
}

/* The C library gives the new thread of the child the memory that a thread of
 * the parent had. */
static int part_beside_a_new_thread(const void *argument)
{
	const struct scenario *s = argument;
	struct thread l;
	struct atmost_totals totals;

	EXPECT(thread_start(&l, s->pool) == 0);
	atmost_part(s->of_thread);
	thread_end(&l);
	EXPECT(atmost_status(s->pool, NULL, 0, &totals) == 1);
	EXPECT(totals.members == 3);
	EXPECT(totals.recovered == 0);
	atmost_close(s->pool);
	return 0;
}

static void threads_of_a_child_are_not_mistaken_for_those_of_its_parent(
	void **state)
{
	struct scenario s = prepare(open_pool("pool", "roster", 1, 8));
	struct thread l;

	(void)state;
	assert_int_equal(0, thread_start(&l, s.pool));
	s.of_thread = l.member;
	assert_int_equal(0, in_child(part_beside_a_new_thread, &s));
	thread_end(&l);
	atmost_close(s.pool);
}

/* Runs a thread that joins, enters and parts until the test tells it to end. */
static void *enter_and_leave(void *argument)
{
	struct thread *l = argument;

	while (sem_trywait(&l->end) < 0) {
		if (atmost_join(l->pool, &l->member) < 0 ||
		    atmost_enter(l->member, NULL) < 0)
			abort();
		atmost_part(l->member);
	}
	return NULL;
}

static int join_enter_and_close(const void *argument)
{
	struct atmost *pool = (struct atmost *)(uintptr_t)argument;
	struct atmost_member *me;

	EXPECT(atmost_join(pool, &me) == 0);
	EXPECT(atmost_enter(me, NULL) == 0);
	atmost_close(pool);
	return 0;
}

static void a_thread_may_fork_while_another_joins(void **state)
{
	struct thread l = { .pool = open_pool("pool", "roster", 1, 4) };
	struct atmost_totals totals;

	(void)state;
	sem_init(&l.end, 0, 0);
	assert_int_equal(0,
			 pthread_create(&l.thread, NULL, enter_and_leave, &l));
	for (unsigned i = 0; i < 50; i++)
		assert_int_equal(0, in_child(join_enter_and_close, l.pool));
	thread_end(&l);
	assert_int_equal(0, atmost_status(l.pool, NULL, 0, &totals));
	assert_int_equal(0, totals.members);
	assert_int_equal(0, totals.recovered);
	atmost_close(l.pool);
}

/*
 * Called in a child: joins the pool.  The child takes long to end, because it
 * has much memory.
 */
static int join_and_be_large(const void *unused)
{
	enum { LARGE = 100 << 20 };
	struct atmost *pool;
	struct atmost_member *me;
	char *memory = malloc(LARGE);

	(void)unused;
	if (!memory || atmost_open(&pool, "pool", NULL) < 0 ||
	    atmost_join(pool, &me) < 0)
		return 1;
	memset(memory, 1, LARGE);
	return kill(getppid(), SIGUSR1) | pause();
}

/* Waits until the kernel begins to free the memory of the process; its files
 * are still open then. */
static void await_exit(pid_t pid)
{
	char path[64];
	unsigned long pages = 1;

	snprintf(path, sizeof path, "/proc/%jd/statm", (intmax_t)pid);
	while (pages > 0) {
		FILE *file = fopen(path, "r");

		if (!file || fscanf(file, "%lu", &pages) != 1)
			pages = 0;
		if (file)
			fclose(file);
	}
}

/*
 * A join of a full pool waits for about a second for a dying member.  On a busy
 * machine the end of a process may take longer.  Then the join fails with
 * ATMOST_EFULL, but only after it has waited for that second.
 */
static void join_beside_dying(struct atmost *pool, struct atmost_member **me)
{
	double begin;
	int error;

	do {
		begin = clock_seconds();
		error = atmost_join(pool, me);
		if (error == ATMOST_EFULL)
			assert_true(clock_seconds() - begin > 0.9);
	} while (error == ATMOST_EFULL);
	assert_int_equal(0, error);
}

static void nothing(int signal)
{
	(void)signal;
}

static void a_pool_is_not_full_while_a_member_dies(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 2);
	sigset_t told, before;
	int signal_number;

	(void)state;
	join(pool);
	signal(SIGUSR1, nothing);
	sigemptyset(&told);
	sigaddset(&told, SIGUSR1);
	sigprocmask(SIG_BLOCK, &told, &before);
	for (unsigned i = 0; i < 5; i++) {
		struct atmost_member *me;
		pid_t pid = fork();

		if (pid == 0) {
			child_begins();
			_exit(join_and_be_large(NULL));
		}
		assert_int_equal(0, sigwait(&told, &signal_number));
		assert_int_equal(ATMOST_EFULL, atmost_join(pool, &me));
		assert_int_equal(0, kill(pid, SIGKILL));
		await_exit(pid);
		join_beside_dying(pool, &me);
		atmost_part(me);
		assert_int_equal(pid, waitpid(pid, NULL, 0));
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_child_cannot_use_a_created_pool),
		TEST_IN_FOLDER(a_child_can_join_an_opened_pool_anew),
		TEST_IN_FOLDER(a_child_of_a_child_can_join_an_opened_pool_anew),
		TEST_IN_FOLDER(
			threads_of_a_child_are_not_mistaken_for_those_of_its_parent),
		TEST_IN_FOLDER(a_thread_may_fork_while_another_joins),
		TEST_IN_FOLDER(a_pool_is_not_full_while_a_member_dies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
