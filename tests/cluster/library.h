/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of pools of several machines have in common.  They use the
 * library as programs do: the header and libatmost.so. */
#ifndef ATMOST_TESTS_CLUSTER_LIBRARY_H
#define ATMOST_TESTS_CLUSTER_LIBRARY_H

#include "atmost/atmost.h"
#include "common/clock.h"
#include "common/watchdog.h"
#include "node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sets how long leases last in pools that are opened from now on.  At first it
 * is 60 seconds, so that a loaded machine does not lose a lease by chance.
 * Tests that wait for the end of a lease use SHORT_LEASE. */
enum { SHORT_LEASE = 5 };
void use_lease(unsigned seconds);

/* The address of a pool of this name on the test's etcd. */
const char *address_of(const char *pool);

/* open_k opens a pool with k slots, and open_groups a group pool without a
 * limit. */
struct atmost *open_k(const char *pool, unsigned k);
struct atmost *open_groups(const char *pool);

struct atmost_member *join(struct atmost *);

/* Waits until the pool has these numbers of holders and waiters. */
void await_seats(struct atmost *, unsigned holders, unsigned waiters);

/* Returns the number of keys of the pool, R/pool included, as etcd tells code
 * that is not under test. */
unsigned keys_of(const char *pool);

/* Revokes the lease of the pool's only waiter ("w/") or holder ("s/").  The
 * effect is as if the lease had ended. */
void end_lease(const char *pool, const char *range);

/* Setup and teardown of a group of tests: one etcd. */
int start_node(void **state);
int stop_node(void **state);

#endif
