/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_LOAD_H
#define ATMOST_RUNTIME_LOAD_H

#include "cluster/table.h"

/*
 * Finds the calls of libatmost-etcd, and loads the library if the process has
 * not loaded it.  Returns 0 or ATMOST_EUNSUPPORTED; then it has written why.
 * The caller has a large stack.
 */
int load_calls(const struct remote_calls **calls, char *why);

#endif
