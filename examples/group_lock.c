/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readers, writers and cleaners of one table.
 *
 * All members inside a group pool (ATMOST_GROUP) have the same session.  The
 * program decides what the sessions mean:
 *
 *	readers   share a session: they may be inside together
 *	cleaners  share another session: they clean together, while no reader
 *	          or writer is inside
 *	writers   have a session each: a writer is inside alone
 *
 * show_which_sessions_share() prints which sessions can be inside together.
 * Members enter in order of arrival: a caller queues behind waiters of other
 * sessions, even if its own session is inside.  Processes can share a group
 * pool by name (atmost_open); if a process is killed, the pool frees its slot.
 */
#define _POSIX_C_SOURCE 200809L

#include <atmost/atmost.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { READERS = 4, WRITERS = 2, CLEANERS = 2, ROUNDS = 5 };
enum { READING = 1, CLEANING = 2, WRITING = 3 /* first writer's session */ };
enum { THREADS = READERS + WRITERS + CLEANERS };

static struct atmost *table;
/* Members inside, counted by the example, to check the pool. */
static atomic_int reading, writing, cleaning;
static atomic_int most_reading;

static void fail(const char *what)
{
	fprintf(stderr, "group_lock: %s\n", what);
	exit(1);
}

static void check(int result)
{
	if (result < 0)
		fail(atmost_detail());
}

static uint64_t session_of(int thread)
{
	if (thread < READERS)
		return READING;
	if (thread < READERS + CLEANERS)
		return CLEANING;
	return WRITING + (uint64_t)(thread - READERS - CLEANERS);
}

static void work_inside(uint64_t session)
{
	const struct timespec one_ms = { .tv_nsec = 1000000 };
	atomic_int *mine = session == READING    ? &reading
			   : session == CLEANING ? &cleaning
						 : &writing;
	int with_me = atomic_fetch_add(mine, 1) + 1;

	if ((reading > 0) + (writing > 0) + (cleaning > 0) != 1)
		fail("two sessions are inside");
	if (mine == &writing && with_me != 1)
		fail("two writers are inside");
	if (mine == &reading && with_me > most_reading)
		most_reading = with_me; /* not exact: threads may race */
	nanosleep(&one_ms, NULL);
	atomic_fetch_sub(mine, 1);
}

static void *run(void *argument)
{
	const struct atmost_want want = {
		.session = session_of((int)(long)argument),
	};
	struct atmost_member *me;

	check(atmost_join(table, &me));
	for (int i = 0; i < ROUNDS; i++) {
		check(atmost_enter(me, &want));
		work_inside(want.session);
		check(atmost_leave(me));
	}
	atmost_part(me);
	return NULL;
}

/* One thread has two members: `first` is inside when `second` tries to
 * enter. */
static void show_which_sessions_share(void)
{
	static const struct {
		uint64_t inside, comes;
		int result;
	} cases[] = {
		{ READING, READING, ATMOST_OK },
		{ READING, CLEANING, ATMOST_EBUSY },
		{ CLEANING, CLEANING, ATMOST_OK },
		{ WRITING, READING, ATMOST_EBUSY },
		{ WRITING, WRITING + 1, ATMOST_EBUSY },
	};
	struct atmost_member *first, *second;

	check(atmost_join(table, &first));
	check(atmost_join(table, &second));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct atmost_want inside = {
			.session = cases[i].inside
		};
		const struct atmost_want comes = {
			.session = cases[i].comes,
			.flags = ATMOST_TRY,
		};
		int result;

		check(atmost_enter(first, &inside));
		result = atmost_enter(second, &comes);
		if (result > 0)
			result = ATMOST_OK; /* in slot 1 */
		printf("session %d is inside, %d comes: %s\n",
		       (int)inside.session, (int)comes.session,
		       atmost_strerror(result));
		if (result != cases[i].result)
			fail("the pool let the wrong session in, or kept the right one out");
		if (result >= 0)
			check(atmost_leave(second));
		check(atmost_leave(first));
	}
	atmost_part(first);
	atmost_part(second);
}

int main(void)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = THREADS,
		.sessions = WRITING + WRITERS - 1,
	};
	pthread_t threads[THREADS];

	check(atmost_create(&table, &shape));
	show_which_sessions_share();
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
			fail("cannot start a thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	atmost_close(table);
	printf("%d rounds of %d threads, up to %d readers together\n", ROUNDS,
	       THREADS, most_reading);
	return 0;
}
