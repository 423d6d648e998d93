/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes of other pid namespaces, as far as one can tell from here: in a
 * namespace above theirs they have pids of ours, which /proc shows.
 */
#ifndef ATMOST_RUNTIME_FOREIGN_H
#define ATMOST_RUNTIME_FOREIGN_H

#include "runtime/identity.h"

/*
 * *here: the process as it is known in our pid namespace, if it is alive.
 * ENDED is said only where every process of its namespace could be seen: from
 * the first pid namespace of the machine, or where `seen` says that the process
 * has been seen from ours before.
 */
enum identity_answer foreign_find(const struct identity *identity, bool seen,
				  struct identity *here);

#endif
