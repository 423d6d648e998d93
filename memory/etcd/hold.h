/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A holder's view of its own slot.
 *
 * A holder keeps its lease alive and watches the key of its slot: an operator
 * may remove the key, and an old etcd may end a lease that is kept alive.  A
 * watch that has ended tells nothing, so the holder then looks at the slot
 * again, and watches from there.
 */
#ifndef ATMOST_MEMORY_ETCD_HOLD_H
#define ATMOST_MEMORY_ETCD_HOLD_H

#include "etcd.h"

/*
 * A holder calls this after etcd_hold, and after each etcd_pump.  False: the
 * slot is lost for certain, because etcd says that the lease has ended or that
 * the key of the slot is gone.  True says nothing about the lease's time: see
 * lease->valid_until.  Does not wait.
 */
bool etcd_has_slot(struct etcd *);

#endif
