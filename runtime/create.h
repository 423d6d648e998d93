/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes pools in anonymous memory, or in a file that has no name yet.  `type`
 * is NULL unless the kind is ATMOST_OBJECT; the pool does not keep the initial
 * words of `type`.
 */
#ifndef ATMOST_RUNTIME_CREATE_H
#define ATMOST_RUNTIME_CREATE_H

#include "runtime/draft.h"
#include "runtime/pool.h"

/* Does the work of atmost_create, for every kind. */
int create_pool(struct atmost **pool, const struct atmost_shape *shape,
		const struct named_object_type *type);

/* Makes the part of a pool that is private to this process: the shape is
 * checked and the size is known, but there is no shared memory yet.  The caller
 * releases this part with `free`. */
int create_private(struct atmost **pool, const struct atmost_shape *shape,
		   const struct named_object_type *type);

/* Fills a draft with a pool that has the shape of `made` and no members. */
int create_draft(struct draft *draft, struct atmost *made,
		 const uint64_t boot[2]);

/* Adds the pool to the lists of this process.  Frees the pool if that fails. */
int create_register(struct atmost **pool, struct atmost *made);

#endif
