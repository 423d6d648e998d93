/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The address of pools in etcd:
 *
 *   etcd[s]://[USER@]HOST[:PORT][,HOST[:PORT]]...[/PREFIX]        many pools
 *   etcd[s]://[USER@]HOST[:PORT][,HOST[:PORT]]...[/PREFIX]/POOL   one pool
 *
 * etcds is TLS.  A HOST is a name, an IPv4 address, or an IPv6 address in
 * brackets; the usual PORT is 2379.  All keys of the pools begin with PREFIX/,
 * "atmost/" if the address has no PREFIX.
 */
#ifndef ATMOST_CLUSTER_ADDRESS_H
#define ATMOST_CLUSTER_ADDRESS_H

#include "cluster/complaint.h"
#include "memory/etcd/wire.h"

enum {
	ADDRESS_ENDPOINTS = 16, /* the most in one address */
	ADDRESS_PREFIX = 200,   /* bytes of the longest prefix */
	ADDRESS_POOL = 64       /* bytes of the longest name of a pool */
};

struct address {
	bool tls;
	unsigned count;
	char *endpoints[ADDRESS_ENDPOINTS]; /* "host:port" */
	char *prefix;                       /* without a slash at its ends */
	char *pool;                         /* NULL: the address has no pool */
	char *user;                         /* NULL: none */
	/* The address as we write it, with ports and prefix, without user and
	 * pool: "etcd://n1:2379,n2:2379/atmost". */
	char *text;
	/* credentials_read sets these; NULL: none. */
	char *password, *ca, *certificate, *key;
};

/* Returns whether the text is an address, and not a name: an address contains
 * "://". */
bool address_is_one(const char *text);

/*
 * Reads an address.  If `pool` is true, its last part is the name of a pool.
 * Returns 0, ATMOST_ENAME or ATMOST_ENOMEM; after 0 the caller must call
 * address_free.
 */
int address_read(struct address *, const char *text, bool pool,
		 struct complaint *);
void address_free(struct address *);

/* Checks the name of a pool by the rules for pools of one machine.  Returns 0
 * or ATMOST_ENAME. */
int address_check_pool(const char *name, struct complaint *);

/* Returns whether all hosts are this machine: localhost, 127.x.x.x, [::1]. */
bool address_is_loopback(const struct address *);

/* Returns the address in the form that wire_open and etcd_open take.  The
 * result points to the texts of *address. */
struct wire_address address_wire(const struct address *);

/* Returns PREFIX/POOL for etcd_open, as a text that the caller frees; NULL: out
 * of memory. */
char *address_root(const struct address *, const char *pool);

#endif
