/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_NESTED_H
#define ATMOST_CLI_NESTED_H

#include <atmost/atmost.h>

/* If this process or one of its ancestors holds a slot of the pool, returns the
 * pid of this holder, and otherwise 0. */
pid_t nested_holder(struct atmost *pool);

#endif
