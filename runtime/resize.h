/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_RESIZE_H
#define ATMOST_RUNTIME_RESIZE_H

#include "runtime/pool.h"

/* Completes a resize if the process that began it has died.  The header has the
 * new k. */
void resize_finish(struct atmost *pool);

#endif
