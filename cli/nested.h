/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_NESTED_H
#define ATMOST_CLI_NESTED_H

#include <atmost/atmost.h>

/* The pid of one inside the pool who is an ancestor of ours; 0: none is. */
pid_t nested_holder(struct atmost *pool);

#endif
