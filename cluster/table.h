/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls by which libatmost uses libatmost-etcd.
 *
 * libatmost loads libatmost-etcd when a caller opens a pool by an address, and
 * finds one symbol in it: this table.  The version changes with every change of
 * the table, so libatmost refuses a libatmost-etcd that does not fit.
 *
 * A call that fails writes a sentence to `why`, which has REMOTE_WHY_ROOM
 * bytes.  Calls that use the network in the caller's thread say so: they need a
 * large stack, and a thread in which all signals are blocked.
 */
#ifndef ATMOST_CLUSTER_TABLE_H
#define ATMOST_CLUSTER_TABLE_H

#include "atmost/atmost.h"

#include <stdbool.h>

struct remote_pool;
struct remote_member;
struct process;

enum { REMOTE_CALLS_VERSION = 1, REMOTE_WHY_ROOM = 768 };
#define REMOTE_CALLS_NAME "atmost_etcd_calls"

struct remote_calls {
	unsigned version;

	/* These use the network.  `is` becomes the shape of the pool; the name
	 * of the algorithm is static, and the slot names are valid until the
	 * pool is closed.  `open` does not compare slot names, and libatmost
	 * has checked those of `wanted`. */
	int (*open)(struct remote_pool **pool, const char *address,
		    const struct atmost_shape *wanted, struct atmost_shape *is,
		    char *why);
	int (*remove)(const char *address, bool unused_only, char *why);
	int (*inspect)(struct remote_pool *pool, struct atmost_shape *is,
		       char *why);
	int (*resize)(struct remote_pool *pool, unsigned k, char *why);
	int (*status)(struct remote_pool *pool, struct atmost_seat *seats,
		      unsigned capacity, struct atmost_totals *totals,
		      char *why);

	/* Frees memory.  The members must have parted, or belong to the parent
	 * of this process. */
	void (*close)(struct remote_pool *pool);

	/* A member has a thread of its own, which uses the network. */
	int (*join)(struct remote_pool *pool, struct remote_member **member,
		    char *why);
	void (*part)(struct remote_member *member);

	/* Waits at most until the deadline or the interrupt of `want`, and
	 * ignores its other fields.  If the deadline has passed, the member
	 * enters only if it need not wait for other members.  Returns the
	 * slot. */
	int (*enter)(struct remote_member *member, uint64_t session,
		     const struct atmost_want *want, char *why);
	/* A function for `leave` of struct atmost_member; `shared` is the
	 * member.  Returns 0 or ATMOST_EEVICTED. */
	int (*leave)(void *shared, struct process *unused);

	/* Other members see the label from the next entry on. */
	int (*label)(struct remote_member *member, const char *text);

	/* These use no network.  The member is inside. */
	uint64_t (*token)(const struct remote_member *member);
	/* CLOCK_BOOTTIME in nanoseconds; 0: the slot is lost. */
	int64_t (*until)(const struct remote_member *member);

	int (*lapse_fd)(const struct remote_member *member);
};

#endif
