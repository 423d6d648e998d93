/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes of other pid namespaces.  If their namespace is below ours, they
 * have a pid in ours, too, and /proc shows it.
 */
#ifndef ATMOST_RUNTIME_FOREIGN_H
#define ATMOST_RUNTIME_FOREIGN_H

#include "runtime/identity.h"

/*
 * Looks for the process in our pid namespace.  If it is alive, *here is the
 * identity that it has here.  The answer is ENDED only if /proc shows every
 * process of the other namespace: in the first pid namespace of the machine, or
 * if the process has been `seen` from our namespace before.
 */
enum identity_answer foreign_find(const struct identity *identity, bool seen,
				  struct identity *here);

#endif
