/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A passage that never waits (settings.impatient).
 *
 * An arriving process that finds no free slot takes a ticket, by the last
 * alternative of its transaction.  An impatient process must not: its ticket
 * would delay other processes until the impatient process has given up, and for
 * a whole lease if the impatient process died first.  So the request has the
 * guards of this alternative, but not its writes.  If etcd makes the
 * alternative, the process would have to wait.
 */
#ifndef ATMOST_MEMORY_ETCD_TRY_H
#define ATMOST_MEMORY_ETCD_TRY_H

#include "etcd.h"

/* Removes the writes of the alternative that puts a ticket.  Returns the number
 * of the alternative, or -1 if there is none. */
int try_without_ticket(const struct etcd *, struct transaction *);

/*
 * For a process whose request has made this alternative.  An arrival tries some
 * slots only, so the words that it saw may show another slot that the process
 * may take.  Returns whether they do; then the next arrival tries this slot
 * first.
 */
bool try_finds_slot(struct etcd *);

#endif
