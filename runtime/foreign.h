/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds processes of other pid namespaces.  A process of a namespace below ours
 * also has a pid in our namespace, and /proc shows that pid.
 */
#ifndef ATMOST_RUNTIME_FOREIGN_H
#define ATMOST_RUNTIME_FOREIGN_H

#include "runtime/identity.h"

/*
 * Looks in /proc for a process of another pid namespace.  If the process is
 * alive, *here is the identity that it has in our namespace.  The answer is
 * IDENTITY_ENDED only if /proc shows every process of the other namespace.
 * This is the case if ours is the first pid namespace of the machine, or if the
 * process was `seen` from our namespace before.
 */
enum identity_answer foreign_find(const struct identity *identity, bool seen,
				  struct identity *here);

#endif
