/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every call, on an object whose file holds what it holds.  A result that the
 * header does not name ends the program.
 */
#ifndef ATMOST_TESTS_FUZZ_EXERCISE_H
#define ATMOST_TESTS_FUZZ_EXERCISE_H

#include "atmost/atmost.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which call is being made: in memory shared with who watches. */
struct progress {
	uint64_t number; /* of the case */
	const char *volatile call;
	int64_t longest;  /* ns, of any call so far */
	uint64_t opened;  /* cases in which open said yes */
	uint64_t entered; /* passages */
};

struct exercise {
	struct atmost_shape shape; /* for the second open */
	int64_t patience;          /* ns, of an enter that may wait */
	uint64_t random;
	/*
	 * Also enter where damage may make one wait for ever: where one cannot
	 * give up, or settles by waiting.
	 */
	bool for_ever;
	int64_t limit; /* ns a call may take before SIGALRM; 0: none */
	struct progress *progress; /* or NULL */
};

/* The file's name, without .pool. */
#define EXERCISE_NAME "damaged"

void exercise(const struct exercise *plan, const unsigned char *bytes,
	      size_t size);

/* The same with an object that is open, made with this algorithm: join, enter
 * and leave, and so on. */
void exercise_use(const struct exercise *plan, struct atmost *object);

/*
 * Whether damage can make an enter with a deadline last for ever: where one
 * cannot give up, or where poll says yes and then waits for those inside.
 */
bool exercise_may_wait(const char *algorithm);

int64_t exercise_now(void); /* CLOCK_MONOTONIC, ns */

/* Negative results that a call may have, by name. */
bool exercise_is_documented(const char *call, int result);

#endif
