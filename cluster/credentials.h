/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads this process's credentials for etcd from the environment: ATMOST_AT_CA,
 * ATMOST_AT_CERT and ATMOST_AT_KEY name files for TLS, and
 * ATMOST_AT_PASSWORD_FILE names the file that has the password of the address's
 * user.
 */
#ifndef ATMOST_CLUSTER_CREDENTIALS_H
#define ATMOST_CLUSTER_CREDENTIALS_H

#include "cluster/address.h"

/*
 * Fills password, ca, certificate and key of the address.
 *
 * Returns 0, or ATMOST_ENAME: the user has no password, the password would be
 * sent unencrypted to another machine, or a file cannot be read; or
 * ATMOST_ENOMEM.
 */
int credentials_read(struct address *, struct complaint *);

#endif
