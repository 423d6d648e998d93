/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside the library a shared object is a pool of kind ATMOST_OBJECT, and its
 * members are members.  The public header gives them types of their own, so that
 * a compiler refuses to enter or leave a shared object.
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

/* The algorithm of the shared object over a k-assignment, as the registry calls
 * it. */
struct full_name {
	char text[96];
};

/*
 * Translates the caller's shape: 0, ATMOST_ESHAPE, ATMOST_EALGORITHM or
 * ATMOST_ENOMEM.  `inner` has a copy of the first state in words, which
 * object_shape_done frees.
 */
int object_shape_read(const struct atmost_object_shape *wanted,
		      struct atmost_shape *shape, struct full_name *name,
		      struct named_object_type *inner);
void object_shape_done(struct named_object_type *inner);

/*
 * Runs the operation on a private copy of the state.  0, ATMOST_EOVERRUN,
 * ATMOST_ECORRUPT or ATMOST_ENOMEM.
 */
int trial_run(struct atmost *pool, uint64_t operation,
	      const uint64_t *argument);

#endif
