/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A passage that never waits (settings.impatient).
 *
 * An arriving process that finds no free slot takes a ticket, by the last
 * alternative of its transaction.  An impatient process must not: its ticket
 * would be in the way of others until it has given up, and for a whole lease if
 * it died before.  So the alternative keeps its guards and loses its writes; if
 * etcd makes it, the process would have had to wait.
 */
#ifndef ATMOST_MEMORY_ETCD_TRY_H
#define ATMOST_MEMORY_ETCD_TRY_H

#include "etcd.h"

/* Removes the writes of the alternative that puts a ticket.  Returns the number
 * of the alternative, or -1 if there is none. */
int try_without_ticket(const struct etcd *, struct transaction *);

/*
 * The alternative was made.  Returns whether the words that were seen then show
 * a slot that the process may take: the arrival tries some slots only.  If so,
 * the next arrival tries this slot first.
 */
bool try_finds_slot(struct etcd *);

#endif
