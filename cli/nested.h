/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_NESTED_H
#define ATMOST_CLI_NESTED_H

#include <atmost/atmost.h>

/* Returns the pid of a holder of the pool that is this process or one of its
 * ancestors, or 0 if there is no such holder. */
pid_t nested_holder(struct atmost *pool);

#endif
