/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The server of a member: a thread that uses etcd for it.
 *
 * The server enters and leaves for the member, keeps its leases alive, and
 * watches its slot while the member is inside.  When the lease may have ended,
 * by our own clock, or etcd says that the slot is gone, the server tells the
 * member by `until` and `lapse`.
 */
#ifndef ATMOST_CLUSTER_SERVE_H
#define ATMOST_CLUSTER_SERVE_H

/* The thread's function; the argument is a struct remote_member. */
void *serve(void *member);

#endif
