/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A shared object is an object of kind ATMOST_OBJECT, and its members are
 * members: they have types of their own only so that a compiler tells them from
 * those that one enters and leaves.
 */
#ifndef ATMOST_RESILIENT_RESILIENT_H
#define ATMOST_RESILIENT_RESILIENT_H

#include "runtime/member.h"

static inline struct atmost *below(struct atmost_object *object)
{
	return (struct atmost *)(void *)object;
}

static inline struct atmost_member *member_below(struct atmost_object_member *m)
{
	return (struct atmost_member *)(void *)m;
}

/* A k-assignment under the object, as the registry calls the two. */
struct full_name {
	char text[96];
};

/*
 * What the user's shape asks for: 0, ATMOST_ESHAPE, ATMOST_EALGORITHM or
 * ATMOST_ENOMEM.  `form` has the first state in words, which shape_done frees.
 */
int shape_read(const struct atmost_object_shape *wanted,
	       struct atmost_shape *shape, struct full_name *name,
	       struct form *form);
void shape_done(struct form *form);

/*
 * Runs the operation on a copy.  0, ATMOST_EOVERRUN, ATMOST_ECORRUPT or
 * ATMOST_ENOMEM.
 */
int guard_try(struct atmost *object, uint64_t operation,
	      const uint64_t *argument);

#endif
