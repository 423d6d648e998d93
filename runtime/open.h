/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_OPEN_H
#define ATMOST_RUNTIME_OPEN_H

#include "runtime/pool.h"

/* Does the work of atmost_open, for every kind.  `type` is NULL unless the kind
 * is ATMOST_OBJECT; the pool does not keep the initial words of `type`. */
int open_pool(struct atmost **pool, const char *name,
	      const struct atmost_shape *shape,
	      const struct named_object_type *type);

#endif
