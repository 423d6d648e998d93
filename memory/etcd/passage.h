/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls the parts of an algorithm over etcd.
 *
 * An algorithm that has lost its lease begins again, as often as necessary.  So
 * a step that cannot go on, because etcd refuses it, the pool is gone or the
 * moment of etcd_limit has come, does not return to the algorithm: the call
 * below ends with ETCD_STOPPED.  This loses nothing: an algorithm holds nothing
 * but its locals, and the step gives up the lease.
 */
#ifndef ATMOST_MEMORY_ETCD_PASSAGE_H
#define ATMOST_MEMORY_ETCD_PASSAGE_H

#include "etcd.h"

enum etcd_outcome {
	ETCD_INSIDE,
	ETCD_WAITS,  /* call etcd_wait, then etcd_poll */
	ETCD_BUSY,   /* settings.impatient: the process would have to wait */
	ETCD_DONE,   /* the limit is set, or the pool exists */
	ETCD_STOPPED /* see etcd->trouble, and wire_problem */
};

enum etcd_outcome etcd_doorway(struct etcd *, const struct algorithm *);
enum etcd_outcome etcd_poll(struct etcd *, const struct algorithm *);
enum etcd_outcome etcd_set_limit(struct etcd *, const struct algorithm *,
				 unsigned k);

/* etcd_leave and etcd_abort always end. */
void etcd_leave(struct etcd *, const struct algorithm *);
void etcd_abort(struct etcd *, const struct algorithm *);

/* Creates the pool with the k of the settings, unless the pool exists. */
enum etcd_outcome etcd_create_pool(struct etcd *);

#endif
