/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_RESIZE_H
#define ATMOST_RUNTIME_RESIZE_H

#include "runtime/pool.h"

/* Completes a resize whose process died on the way; k is the header's. */
void resize_finish(struct atmost *pool);

#endif
