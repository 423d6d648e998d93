/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_RESIZE_H
#define ATMOST_RUNTIME_RESIZE_H

#include "runtime/pool.h"

/* Completes a resize whose process died on the way.  The header has the k. */
void resize_finish(struct atmost *pool);

#endif
