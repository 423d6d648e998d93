/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making pools: in anonymous memory, or in a file without a name.  `type` is
 * NULL unless the kind is ATMOST_OBJECT; its initial words are not kept.
 */
#ifndef ATMOST_RUNTIME_CREATE_H
#define ATMOST_RUNTIME_CREATE_H

#include "runtime/draft.h"
#include "runtime/pool.h"

/* atmost_create, for every kind. */
int create_pool(struct atmost **pool, const struct atmost_shape *shape,
		const struct named_object_type *type);

/* The private part of a pool: its shape is checked and its size known, but it
 * has no memory to share.  `free` undoes it. */
int create_private(struct atmost **pool, const struct atmost_shape *shape,
		   const struct named_object_type *type);

/* Fills a draft with a pool that has made's shape and no members. */
int create_draft(struct draft *draft, struct atmost *made,
		 const uint64_t boot[2]);

/* Adds the pool to the lists of this process.  On failure the pool is freed. */
int create_register(struct atmost **pool, struct atmost *made);

#endif
