/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With this header, checks are written as sentences:
 *
 *	expect_holds("k-ticket", .n = 3, .k = 2);
 *	expect_breaks("no-lost-wake", "k-ticket~no-wake", .n = 2);
 *
 * Options that are not given have the defaults of the command.  Every answer is
 * printed with its number of states, so that the log shows what was checked.
 */
#ifndef ATMOST_TESTS_CHECK_CHECK_H
#define ATMOST_TESTS_CHECK_CHECK_H

#include "checker/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct ask {
	int n, k, sessions, passages, crashes, deaths, aborts, faults;
	int each[LAB_MAX_N]; /* passages of each process, if they differ */
	int resize[LAB_MAX_RESIZES]; /* new values of k; ended by 0 */
	const char *only;            /* properties to check, comma-separated */
	unsigned steps_of; /* bit p: count the steps of p; 0: of all */
	const char *also;  /* properties to check besides the promises */
	/* For expect_breaks: the properties that hold nevertheless. */
	const char *holds;
	unsigned most_steps; /* expect_breaks: longest counterexample */
	double seconds;
	unsigned gigabytes; /* default: 4 */
	int workers;
	bool no_crashes, no_clocks;
	bool pauses; /* after the resizes the last process pauses the pool */
	/* fail if two different states have the same fingerprint */
	bool find_collisions;
	bool whole; /* never use a smaller instance instead */
};

void check_holds(const char *algorithm, struct ask ask, const char *file,
		 int line);
void check_no_violation(const char *algorithm, struct ask ask, const char *file,
			int line);
void check_breaks(const char *property, const char *algorithm, struct ask ask,
		  const char *file, int line);
void check_refused(const char *words, const char *algorithm, struct ask ask,
		   const char *file, int line);
void check_replays(const char *property, const char *schedule, const char *file,
		   int line);
void check_replays_file(const char *property, const char *trace,
			const char *file, int line);

#define TEST(name) static void name(void **state)
#define expect_holds(algorithm, ...)                                   \
	(check_holds(algorithm, (struct ask){ __VA_ARGS__ }, __FILE__, \
		     __LINE__))
/* A check that runs out of time or memory prints a note and does not fail. */
#define expect_no_violation(algorithm, ...)                                   \
	(check_no_violation(algorithm, (struct ask){ __VA_ARGS__ }, __FILE__, \
			    __LINE__))
#define expect_breaks(property, algorithm, ...)                         \
	(check_breaks(property, algorithm, (struct ask){ __VA_ARGS__ }, \
		      __FILE__, __LINE__))
/* The checker must refuse the question; its message must contain `words`. */
#define expect_refused(words, algorithm, ...)                         \
	(check_refused(words, algorithm, (struct ask){ __VA_ARGS__ }, \
		       __FILE__, __LINE__))
#define expect_replays(property, schedule) \
	(check_replays(property, schedule, __FILE__, __LINE__))

/* Like expect_replays, for a schedule in a file of tests/traces. */
#define expect_replays_file(property, trace) \
	(check_replays_file(property, trace, __FILE__, __LINE__))

#define RUN(tests) cmocka_run_group_tests(tests, NULL, NULL)

#endif
