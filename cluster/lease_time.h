/* SPDX-License-Identifier: BSD-2-Clause */
/* How long the leases of this process last. */
#ifndef ATMOST_CLUSTER_LEASE_TIME_H
#define ATMOST_CLUSTER_LEASE_TIME_H

#include "cluster/complaint.h"

/* A lease shorter than LEASE_LEAST might end during an election of etcd's
 * leader. */
enum { LEASE_SECONDS = 15, LEASE_LEAST = 5, LEASE_MOST = 3600 };

/* Stores the seconds that ATMOST_AT_LEASE asks for, or LEASE_SECONDS.  Returns 0
 * or ATMOST_ESHAPE. */
int lease_time(unsigned *seconds, struct complaint *);

#endif
