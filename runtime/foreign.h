/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes of other pid namespaces.  If their namespace is below ours, they
 * have a pid in ours, too, and /proc shows it.
 */
#ifndef ATMOST_RUNTIME_FOREIGN_H
#define ATMOST_RUNTIME_FOREIGN_H

#include "runtime/identity.h"

/*
 * *here: the identity that the process has in our pid namespace, if it is
 * alive.  The answer is ENDED only where /proc shows every process of its
 * namespace: in the first pid namespace of the machine, or if the process has
 * been `seen` from our namespace before.
 */
enum identity_answer foreign_find(const struct identity *identity, bool seen,
				  struct identity *here);

#endif
