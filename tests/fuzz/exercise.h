/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes every call of the library on a pool whose file may be damaged.  If a
 * call returns an error that atmost.h does not name for that call, the program
 * ends.
 */
#ifndef ATMOST_TESTS_FUZZ_EXERCISE_H
#define ATMOST_TESTS_FUZZ_EXERCISE_H

#include "atmost/atmost.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The progress of a process, in memory that its parent shares. */
struct progress {
	uint64_t number; /* the number of the case */
	const char *volatile call;
	int64_t longest;  /* ns, the longest call so far */
	uint64_t opened;  /* cases in which open succeeded */
	uint64_t entered; /* passages */
};

struct exercise {
	struct atmost_shape shape; /* the shape for the second open */
	int64_t patience;          /* ns, the longest wait of an enter */
	uint64_t random;
	/* Members enter even if damage may make them wait for ever. */
	bool for_ever;
	/* The longest time, in ns, that a call is allowed to take; 0 means no
	 * limit.  SIGPROF ends a call that loops, after `processor` ns of
	 * processor time, which does not depend on the load of the machine.
	 * SIGALRM ends a call that waits, after `real` ns of real time. */
	int64_t processor, real;
	struct progress *progress; /* may be NULL */
};

/* The name of the file without .pool. */
#define EXERCISE_NAME "damaged"

void exercise(const struct exercise *plan, const unsigned char *bytes,
	      size_t size);

/* Makes the calls of exercise, except open and unlink, on an open pool. */
void exercise_use(const struct exercise *plan, struct atmost *pool);

/*
 * Returns whether damage can make a member wait for ever in spite of a
 * deadline.  This is so if a waiter of the algorithm cannot give up, or if it
 * waits for holders after its poll has succeeded.
 */
bool exercise_may_wait(const char *algorithm);

/* Returns whether atmost.h names this negative result for the call. */
bool exercise_is_documented(const char *call, int result);

#endif
