/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readers, writers and maintenance of one table.
 *
 * All members inside an object of kind ATMOST_GROUP want the same session.
 * What the sessions are is up to the program:
 *
 *	readers      one session for all: they do not disturb each other
 *	maintenance  another one for all: several clean up together, while
 *	             nobody reads or writes
 *	writers      each a session of its own: one writer, and nobody else
 *
 * They come in order of arrival: who comes while somebody of another session
 * waits queues behind that one.  Opened by name, the same serves processes, and
 * what a killed one held comes back.
 */
#define _POSIX_C_SOURCE 200809L

#include <atmost/atmost.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { READERS = 4, WRITERS = 2, CLEANERS = 2, ROUNDS = 5 };
enum { READING = 1, CLEANING = 2, WRITING = 3 /* and those after it */ };
enum { THREADS = READERS + WRITERS + CLEANERS };

static struct atmost *table;
static atomic_int reading, writing, cleaning; /* who is inside */
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
	const struct timespec a_while = { .tv_nsec = 1000000 };
	atomic_int *mine = session == READING    ? &reading
			   : session == CLEANING ? &cleaning
						 : &writing;
	int with_me = atomic_fetch_add(mine, 1) + 1;

	if ((reading > 0) + (writing > 0) + (cleaning > 0) != 1)
		fail("two sessions are inside");
	if (mine == &writing && with_me != 1)
		fail("two writers are inside");
	if (mine == &reading && with_me > most_reading)
		most_reading = with_me; /* roughly */
	nanosleep(&a_while, NULL);
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

/* One thread with two members, so that it is clear who is inside. */
static void show_who_fits_together(void)
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
			fail("that should not be");
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
	show_who_fits_together();
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
			fail("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	atmost_close(table);
	printf("%d rounds of %d threads, up to %d readers together\n", ROUNDS,
	       THREADS, most_reading);
	return 0;
}
