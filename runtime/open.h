/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_OPEN_H
#define ATMOST_RUNTIME_OPEN_H

#include "runtime/object.h"

/*
 * atmost_create and atmost_open, for every kind: ATMOST_OBJECT has a form, the
 * others have none.  Its initial words are not kept.
 */
int object_create(struct atmost **object, const struct atmost_shape *shape,
		  const struct form *form);
int object_open(struct atmost **object, const char *name,
		const struct atmost_shape *shape, const struct form *form);

#endif
