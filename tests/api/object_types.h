/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A shared object for tests: a number, kept twice so that a torn state shows,
 * and operations that do what functions should not.
 */
#ifndef ATMOST_TESTS_API_OBJECT_TYPES_H
#define ATMOST_TESTS_API_OBJECT_TYPES_H

#include <atmost/resilient.h>

/* Two arguments, two results. */
enum {
	ADD = 1,  /* the first argument; the number before, and the second */
	ALL_ONES, /* returns 2^64-1 twice */
	SILENT,   /* returns nothing */
	BEHIND, /* the first argument: writes so many bytes behind the state */
	BEFORE, /* writes before it */
	THIRD,  /* writes a third result */
	LAST
};

struct twice {
	uint64_t number, again;
};

/*
 * What this process does in the function, beside its work: set by a test.  STAY
 * posts `there` and waits for `go_on`; others may do its operation meanwhile.
 */
enum antics { NONE, STAY, DIE };
extern enum antics antics;
extern int stays_at[2], goes_on[2]; /* pipes */
void antics_begin(void);

struct atmost_object_type twice_type(void);
struct atmost_object *make_twice(unsigned k, unsigned members,
				 const char *algorithm, unsigned flags);
struct atmost_object *open_twice(const char *name, unsigned k);
struct atmost_object_member *join_object(struct atmost_object *object);

/* Adds and returns the number before; fails if it cannot. */
uint64_t add(struct atmost_object_member *me, uint64_t number);

/* The number; fails if the state is torn. */
uint64_t number_of(struct atmost_object *object);

#endif
