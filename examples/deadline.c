/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This program enters a pool without waiting (ATMOST_TRY) and with a deadline,
 * and shows the errors that it gets.
 *
 * main() shows each error once; expect() prints it.  A thread may have several
 * members.  Here one thread has two: `holder` is inside, and `other` tries to
 * enter.
 */
#define _POSIX_C_SOURCE 200809L

#include <atmost/atmost.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "deadline: %s\n", atmost_detail());
	exit(1);
}

/* Prints the result of a call; the result must be `error`. */
static void expect(int error, int result, const char *call)
{
	printf("%s: %s\n", call, atmost_strerror(result));
	if (result == error)
		return;
	fprintf(stderr, "deadline: expected: %s\n", atmost_strerror(error));
	exit(1);
}

/*
 * A deadline is a point in time, not a duration.  So a caller that tries again
 * after a failure, or enters two pools in turn, can use the same deadline.
 */
static struct timespec in_milliseconds(long milliseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += milliseconds % 1000 * 1000000;
	t.tv_sec += milliseconds / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static int is_past(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > t->tv_sec ||
	       (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

/*
 * Members of some algorithms cannot give up waiting.  With such an algorithm,
 * atmost_enter with ATMOST_TRY or a deadline fails at once.
 */
static void show_algorithm_without_deadlines(void)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_MUTEX,
		.algorithm = "k-ticket",
	};
	const struct atmost_want now = { .flags = ATMOST_TRY };
	struct atmost *ticket;
	struct atmost_member *me;

	check(atmost_create(&ticket, &shape));
	check(atmost_join(ticket, &me));
	expect(ATMOST_ENOTABORTABLE, atmost_enter(me, &now), "k-ticket, try");
	printf("  in detail: %s\n", atmost_detail());
	atmost_part(me);
	atmost_close(ticket);
}

int main(void)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_MUTEX,
	};
	const struct atmost_want now = { .flags = ATMOST_TRY };
	struct timespec moment;
	const struct atmost_want soon = { .deadline = &moment };
	struct atmost *mutex;
	struct atmost_member *holder, *other;

	check(atmost_create(&mutex, &shape));
	check(atmost_join(mutex, &holder));
	check(atmost_join(mutex, &other));
	check(atmost_enter(holder, NULL));

	expect(ATMOST_EBUSY, atmost_enter(other, &now), "try");
	moment = in_milliseconds(50);
	expect(ATMOST_ETIMEDOUT, atmost_enter(other, &soon), "within 50 ms");
	if (!is_past(&moment)) {
		fprintf(stderr,
			"deadline: the call returned before its deadline\n");
		return 1;
	}
	expect(ATMOST_EINSIDE, atmost_enter(holder, &now), "enter again");
	expect(ATMOST_EOUTSIDE, atmost_leave(other), "leave without entering");

	/* After a failure the member holds nothing and can try again. */
	check(atmost_leave(holder));
	expect(ATMOST_OK, atmost_enter(other, &now), "try when there is room");
	check(atmost_leave(other));

	atmost_part(holder);
	atmost_part(other);
	atmost_close(mutex);
	show_algorithm_without_deadlines();
	return 0;
}
