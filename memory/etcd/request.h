/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON of every request to etcd.
 *
 * The gateway ignores a field that it does not know: a guard with a misspelt
 * field guards nothing.  So field names are written in request.c and nowhere
 * else, and tests in tests/cluster make each guard refuse.
 */
#ifndef ATMOST_MEMORY_ETCD_REQUEST_H
#define ATMOST_MEMORY_ETCD_REQUEST_H

#include "text.h"

#include <stdint.h>

/* One key, or all keys that begin with a text; the text is not empty and is
 * shorter than KEY_ROOM. */
struct key_range {
	const char *key;
	bool prefix;
};

/* Guards.  Each adds an object; the caller adds the commas between objects. */

/* All keys of the range are absent (revision 0), or were created at the
 * revision.  Holds for a range without keys, whatever the revision. */
void request_if_created(struct text *, struct key_range, int64_t revision);
/* The key was last written at the revision; 0: it is absent. */
void request_if_modified(struct text *, struct key_range, int64_t revision);
/* All keys of the range have the value.  Fails for a range without keys. */
void request_if_value(struct text *, struct key_range, const char *value);

/* Operations of a transaction.  Each function adds an object. */

void request_put(struct text *, const char *key, const char *value,
		 int64_t lease);
void request_delete(struct text *, struct key_range);
void request_range(struct text *, struct key_range);
/* All keys from `first` on, up to the last that begins with `last`. */
void request_range_from(struct text *, const char *first, const char *last);
/* The keys that were created first; `most` is their largest number. */
void request_first(struct text *, struct key_range, unsigned most);
/* The keys that were created last before the revision; `most` is their
 * largest number. */
void request_last_before(struct text *, struct key_range, unsigned most,
			 int64_t revision);

/*
 * A transaction: request_begin, guards, request_success, operations,
 * request_end.  A nested transaction is an operation: request_nested, guards,
 * request_success, operations, request_failure, operations,
 * request_nested_ends.
 */
void request_begin(struct text *);
void request_success(struct text *);
void request_failure(struct text *);
void request_end(struct text *);
void request_nested(struct text *);
void request_nested_ends(struct text *);

/* Whole bodies. */

void request_grant(struct text *, unsigned seconds);
/* The body of a keepalive and of a revoke. */
void request_lease(struct text *, int64_t lease);
/* How long a lease still lasts. */
void request_time_to_live(struct text *, int64_t lease);
/* The first keys from `from` to before `end`, sorted, without their values. */
void request_first_keys(struct text *, const char *from, size_t length,
			const char *end, unsigned most);
void request_authenticate(struct text *, const char *user,
			  const char *password);

/* A line of the body of a watch: the events of the range from the revision on.
 * With no_puts, only those that remove a key. */
void request_watch(struct text *, struct key_range, bool no_puts,
		   int64_t revision);

#endif
