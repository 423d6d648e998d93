/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines a shared object for tests.  Its state is a number, stored twice so
 * that a test notices a torn state.  Some of its operations violate the rules
 * for the function of an object type.
 */
#ifndef ATMOST_TESTS_API_OBJECT_TYPES_H
#define ATMOST_TESTS_API_OBJECT_TYPES_H

#include <atmost/resilient.h>

/* The operations have two arguments and two results. */
enum {
	ADD = 1,  /* adds argument 0; returns the old number and argument 1 */
	ALL_ONES, /* returns 2^64-1 twice */
	SILENT,   /* writes no result */
	BEHIND,   /* writes the byte at offset size - 1 + argument 0 */
	BEFORE,   /* writes before the state */
	THIRD,    /* writes a third result */
	LAST
};

struct twice {
	uint64_t number, again;
};

/*
 * `behaviour` says what the function does before its work.  STAY writes a byte
 * to `staying` and waits for a byte from `go_on`; other members can finish the
 * operation meanwhile.  DIE kills the process.
 */
enum behaviour { NONE, STAY, DIE };
extern enum behaviour behaviour;
extern int staying[2], go_on[2]; /* pipes */
void behaviour_begin(void);

struct atmost_object_type twice_type(void);
struct atmost_object *make_twice(unsigned k, unsigned members,
				 const char *algorithm, unsigned flags);
struct atmost_object *open_twice(const char *name, unsigned k);
struct atmost_object_member *join_object(struct atmost_object *object);

/* Adds and returns the old number; a failure fails the test. */
uint64_t add(struct atmost_object_member *me, uint64_t number);

/* The number in the state; a torn state fails the test. */
uint64_t number_of(struct atmost_object *object);

#endif
