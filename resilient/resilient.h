/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside the library a shared object is a pool of kind ATMOST_OBJECT, and its
 * members are ordinary members.  The public header declares separate types for
 * both, so that a compiler refuses atmost_enter or atmost_leave for a member of
 * a shared object.
 */
#ifndef ATMOST_RESILIENT_RESILIENT_H
#define ATMOST_RESILIENT_RESILIENT_H

#include "runtime/member.h"

static inline struct atmost *pool_of(struct atmost_object *object)
{
	return (struct atmost *)(void *)object;
}

static inline struct atmost_member *member_of(struct atmost_object_member *m)
{
	return (struct atmost_member *)(void *)m;
}

/* The shape that a caller asks for, translated for the runtime. */
struct object_wish {
	struct atmost_shape shape; /* its algorithm is NULL or `algorithm` */
	char algorithm[96]; /* resilient-object/ and the caller's choice */
	struct named_object_type type;
	uint64_t *initial; /* words of the first state; NULL: zeros */
};

/* Checks and translates a caller's shape.  Returns 0, ATMOST_ESHAPE,
 * ATMOST_EALGORITHM or ATMOST_ENOMEM.  After success the caller must call
 * object_shape_done, which frees the initial words. */
int object_shape_read(const struct atmost_object_shape *wanted,
		      struct object_wish *wish);
void object_shape_done(struct object_wish *wish);

/*
 * Runs the operation on a private copy of the state.  Returns 0,
 * ATMOST_EOVERRUN, ATMOST_ECORRUPT or ATMOST_ENOMEM.
 */
int trial_run(struct atmost *pool, uint64_t operation,
	      const uint64_t *argument);

#endif
