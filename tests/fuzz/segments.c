/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests damaged segments.
 *
 * Each case damages an image and makes every call on it.  The cases run in a
 * child.  The test fails, and names the case, if the child crashes, a sanitizer
 * reports an error, a result is not documented, or a call loops or hangs: a
 * call is allowed two seconds of processor time and a minute of waiting.
 *
 *	ATMOST_SEED         repeats a run
 *	ATMOST_FUZZ_CASE    runs only this case, in the test's own process
 *	ATMOST_FUZZ_CASES   the number of cases; the default is 100000
 *
 * fuzz-segments --corpus FOLDER writes the images for fuzz_segment.c.
 */
#include "common/clock.h"
#include "common/prng.h"
#include "common/size.h"
#include "exercise.h"
#include "mutate.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t MILLISECOND = 1000000, SECOND = 1000000000;

/*
 * The signals whose handlers cmocka replaces.  A child restores the usual
 * handlers, because cmocka's handlers would hide the signal.
 */
static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
static struct sigaction usual[4];

static struct progress *progress;
static uint64_t seed;
static struct mutant mutant;

/* A series of cases. */
struct series {
	const char *name;
	/* Its cases are numbered first to first+count-1. */
	uint64_t first, count;
	bool for_ever;
	int64_t processor, real; /* limits of a call, ns */
};

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
	const char *text = getenv(variable);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t case_count(void)
{
	uint64_t count = number_from("ATMOST_FUZZ_CASES", 100000);

	return size_is_small() ? count / 5 : count;
}

/* In a series with `for_ever` the image has an algorithm that may wait for
 * ever.  In other series every second case has an algorithm that recovers dead
 * members. */
static const struct image *image_of(const struct series *series,
				    uint64_t number)
{
	unsigned i = (unsigned)(series->for_ever ? number : number / 2);

	if (series->for_ever)
		while (!exercise_may_wait(image_at(i)->algorithm->name))
			i++;
	else if (number % 2)
		while (!image_at(i)->algorithm->recover)
			i++;
	return image_at(i);
}

/* Fills `mutant`, and returns the plan of the calls to make on it. */
static struct exercise plan_case(const struct series *series, uint64_t number)
{
	uint64_t state = seed + number * UINT64_C(0xd1342543de82ef95);
	const struct image *image = image_of(series, number);

	mutate(&mutant, image, &state);
	return (struct exercise){
		.shape = image->shape,
		.patience = number % 10000 == 77 ? SECOND
			    : number % 64 == 0   ? 5 * MILLISECOND
						 : MILLISECOND / 10,
		.random = prng_next(&state),
		.for_ever = series->for_ever,
		.processor = series->processor,
		.real = series->real,
		.progress = progress,
	};
}

static void run_case(const struct series *series, uint64_t number)
{
	struct exercise plan = plan_case(series, number);

	progress->number = number;
	exercise(&plan, mutant.bytes, mutant.size);
}

_Noreturn static void run_child(const struct series *series, uint64_t from)
{
	for (unsigned i = 0; i < 4; i++)
		sigaction(signals[i], &usual[i], NULL);
	for (uint64_t i = from; i < series->first + series->count; i++)
		run_case(series, i);
	_exit(0);
}

static void save(const struct series *series, uint64_t number)
{
	char name[128];
	FILE *file;

	(void)plan_case(series, number);
	snprintf(name, sizeof name, "fuzz-%ju-%ju.pool", (uintmax_t)seed,
		 (uintmax_t)number);
	file = fopen(name, "wb");
	if (!file)
		return;
	fwrite(mutant.bytes, mutant.size, 1, file);
	fclose(file);
	print_message("the damaged segment is %s\n", name);
}

static void report(const struct series *series, const char *how, int number)
{
	const struct image *image = image_of(series, progress->number);

	print_message("%s: %s %d in atmost_%s of %s, %s\n"
		      "  ATMOST_SEED=%ju ATMOST_FUZZ_CASE=%ju\n",
		      series->name, how, number, progress->call,
		      image->algorithm->name, image->state, (uintmax_t)seed,
		      (uintmax_t)progress->number);
	save(series, progress->number);
	fail();
}

/*
 * Runs all cases.  In a series with `for_ever`, returns how many cases waited
 * until their limit.
 */
static uint64_t run_series(const struct series *series)
{
	uint64_t from = series->first, waited = 0;
	int status;

	while (from < series->first + series->count) {
		pid_t child;

		fflush(NULL);
		child = fork();
		if (child == 0)
			run_child(series, from);
		assert_true(child > 0 && waitpid(child, &status, 0) == child);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			return waited;
		if (WIFEXITED(status))
			report(series, "exit status", WEXITSTATUS(status));
		if (WTERMSIG(status) == SIGPROF)
			report(series, "loops: seconds of processor time",
			       (int)(series->processor / SECOND));
		if (WTERMSIG(status) != SIGALRM)
			report(series, "signal", WTERMSIG(status));
		from = progress->number;
		if (series->for_ever) {
			waited++;
			from++;
		} else {
			report(series, "hangs: seconds",
			       (int)(series->real / SECOND));
		}
	}
	return waited;
}

static void run_all(const struct series *series)
{
	uint64_t only = number_from("ATMOST_FUZZ_CASE", UINT64_MAX), waited;
	int64_t began = clock_nanoseconds();

	memset(progress, 0, sizeof *progress);
	if (only != UINT64_MAX) {
		if (only - series->first < series->count)
			run_case(series, only);
		return;
	}
	waited = run_series(series);
	print_message("%s: %ju cases in %.1f s, %ju opened, %ju passages, the "
		      "longest call %.3f s",
		      series->name, (uintmax_t)series->count,
		      (double)(clock_nanoseconds() - began) / 1e9,
		      (uintmax_t)progress->opened, (uintmax_t)progress->entered,
		      (double)progress->longest / 1e9);
	if (series->for_ever)
		print_message("; %ju waited until their limit",
			      (uintmax_t)waited);
	print_message("\n");
	assert_true(progress->opened > series->count / 4);
}

static void a_damaged_segment_crashes_and_blocks_no_member(void **state)
{
	(void)state;
	run_all(&(struct series){
		.name = "damaged",
		.count = case_count(),
		.processor = 2 * SECOND,
		.real = 60 * SECOND,
	});
}

static void a_member_that_cannot_give_up_may_wait_but_does_not_crash(
	void **state)
{
	(void)state;
	run_all(&(struct series){
		.name = "for ever",
		.first = UINT64_C(1000000000),
		.count = case_count() / 50,
		.for_ever = true,
		.real = 20 * MILLISECOND,
	});
}

static int set_up(void **state)
{
	(void)state;
	seed = prng_seed();
	image_begin();
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		return -1;
	print_message("%u images\n", image_make());
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(image_path(EXERCISE_NAME));
	image_end();
	return 0;
}

/* Writes each image in the format of fuzz_segment.c. */
static int write_corpus(const char *folder)
{
	char name[256];
	FILE *file;

	image_begin();
	for (unsigned i = image_make(); i-- > 0;) {
		snprintf(name, sizeof name, "%s/%u", folder, i);
		file = fopen(name, "wb");
		if (!file || fputc(1, file) == EOF ||
		    fwrite(image_at(i)->bytes, image_at(i)->size, 1, file) != 1)
			perror(name);
		if (file)
			fclose(file);
	}
	image_end();
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_damaged_segment_crashes_and_blocks_no_member),
		cmocka_unit_test(
			a_member_that_cannot_give_up_may_wait_but_does_not_crash),
	};

	if (argc == 3 && strcmp(argv[1], "--corpus") == 0)
		return write_corpus(argv[2]);
	for (unsigned i = 0; i < 4; i++)
		sigaction(signals[i], NULL, &usual[i]);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
