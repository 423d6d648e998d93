/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The keys of a pool.  R is PREFIX/POOL; L is the id of a lease, 16 hexadecimal
 * digits.
 *
 *   R/pool     what the pool is, and its limit; belongs to no lease
 *   R/m/L      a member
 *   R/w/L      the member waits; the value is its session
 *   R/s/0003   the member has slot 3; the value is its session
 *
 * The lease of a key says which member owns it, so the value need not.
 */
#ifndef ATMOST_MEMORY_ETCD_KEYS_H
#define ATMOST_MEMORY_ETCD_KEYS_H

#include "transaction.h"

enum {
	KEY_ROOM = 512,        /* bytes of a key with its NUL */
	KEY_SLOTS_MOST = 10000 /* slots have four digits */
};

/* A key and where it belongs. */
struct key {
	enum store_range range;
	int64_t lease; /* STORE_MEMBER, STORE_WAITER */
	unsigned slot; /* STORE_SLOT */
};

/* Returns false if PREFIX/POOL is too long for keys below it. */
bool key_root_fits(const char *root);

/* Writes a key, or the text that all keys of a range begin with; the pool's
 * range is its only key. */
void key_print(char text[KEY_ROOM], const char *root, const struct key *);
void key_print_range(char text[KEY_ROOM], const char *root, enum store_range);

/*
 * Reads a key.  Returns false unless the text is a key of this pool exactly as
 * key_print writes it: other programs may have put keys there.
 */
bool key_parse(struct key *, const char *root, const char *text, size_t length);

#endif
