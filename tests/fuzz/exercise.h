/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes every call of the library on a pool whose file may be damaged.  If a
 * call returns an error that the header does not name for it, the program ends.
 */
#ifndef ATMOST_TESTS_FUZZ_EXERCISE_H
#define ATMOST_TESTS_FUZZ_EXERCISE_H

#include "atmost/atmost.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The progress of a process, in memory that its parent shares. */
struct progress {
	uint64_t number; /* of the case */
	const char *volatile call;
	int64_t longest;  /* ns, the longest call so far */
	uint64_t opened;  /* cases in which open succeeded */
	uint64_t entered; /* passages */
};

struct exercise {
	struct atmost_shape shape; /* the shape for the second open */
	int64_t patience;          /* ns, the longest wait of an enter */
	uint64_t random;
	/* Enter even if damage may make a member wait for ever. */
	bool for_ever;
	/* The longest time that a call may take, ns; 0: no limit.  SIGPROF ends
	 * a call that loops, after `processor` of processor time, which does
	 * not depend on the load of the machine.  SIGALRM ends a call that
	 * waits, after `real` time. */
	int64_t processor, real;
	struct progress *progress; /* or NULL */
};

/* The file's name, without .pool. */
#define EXERCISE_NAME "damaged"

void exercise(const struct exercise *plan, const unsigned char *bytes,
	      size_t size);

/* Makes the calls of exercise, except open and unlink, on an open pool. */
void exercise_use(const struct exercise *plan, struct atmost *pool);

/*
 * Whether damage can make a member wait for ever in spite of a deadline: the
 * algorithm cannot give up, or it waits for holders after its poll has
 * succeeded.
 */
bool exercise_may_wait(const char *algorithm);

/* Whether the header names this negative result for the call. */
bool exercise_is_documented(const char *call, int result);

#endif
