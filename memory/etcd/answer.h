/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads etcd's answers.
 *
 * The gateway writes 64-bit numbers as strings and leaves out what is zero,
 * false or empty.  A reader here takes an absent field for zero only where etcd
 * may leave it out; everything else that is not as etcd writes it makes the
 * answer bad.  A number that is not a string is bad as well: a program on the
 * way that rewrote it may have rounded it.  After a bad answer the caller sends
 * the request again; a bad answer is never the result of a step.
 */
#ifndef ATMOST_MEMORY_ETCD_ANSWER_H
#define ATMOST_MEMORY_ETCD_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key in an answer of etcd. */
struct seen_key {
	char *key, *value; /* each ends with a NUL that its length does not
			      count */
	size_t key_length, value_length;
	int64_t created, modified; /* revisions; of a removed key only
				      modified: when it was removed */
	int64_t lease;             /* 0: none */
	bool removed;              /* in the answers of a watch */
};

/* Keys at one revision, or the events of a line of a watch. */
struct seen_keys {
	int64_t revision;
	bool cut; /* a range has more keys than it was asked for */
	size_t count, room;
	struct seen_key *keys;
};

void seen_keys_free(struct seen_keys *);

/*
 * Each reader returns false if the answer is bad, or memory runs out.  Then the
 * outputs are empty.
 */

/* A grant: the lease and how long it lasts. */
bool answer_grant(const char *text, size_t length, int64_t *lease,
		  int64_t *seconds);

/* A keepalive of the lease; *seconds is 0 if the lease is gone. */
bool answer_keepalive(const char *text, size_t length, int64_t lease,
		      int64_t *seconds);

/* A revoke. */
bool answer_revoke(const char *text, size_t length);

/* A range that a transaction asked for. */
struct range_form {
	unsigned most; /* the number of keys that it may have; 0: all */
	/* A filter leaves keys out of the range, but etcd counts them. */
	bool filtered;
};

/* What a transaction asked for.  writes[i] is the number of writes of
 * alternative i; `ranges` is the number of ranges after the alternatives. */
struct transaction_form {
	bool common;    /* a transaction with common guards is around the
			   alternatives */
	bool bare_last; /* the last alternative has no transaction of its own */
	unsigned alternatives, ranges;
	unsigned writes[64];
	struct range_form range[8];
};

/* Reads the answer to a transaction.  *made is the alternative that etcd has
 * made; -1: none.  The keys of all ranges are in *seen, with the revision at
 * which they were seen. */
bool answer_transaction(const char *text, size_t length,
			const struct transaction_form *, int *made,
			struct seen_keys *seen);

/* A range of keys whose number was limited; *more: there are others after
 * them. */
bool answer_keys(const char *text, size_t length, struct seen_keys *seen,
		 bool *more);

/* How long a lease still lasts; *left is 0 if the lease is gone. */
bool answer_time_to_live(const char *text, size_t length, int64_t lease,
			 int64_t *left, int64_t *granted);

bool answer_token(const char *text, size_t length, char **token);

/* GET /version. */
struct etcd_version {
	unsigned major, minor, patch;
};
bool answer_version(const char *text, size_t length, struct etcd_version *);

/* A line of a watch. */
enum watch_news {
	WATCH_CREATED,  /* etcd has set up a watcher */
	WATCH_EVENTS,   /* *events has them; there may be none */
	WATCH_CANCELED, /* etcd ended a watcher; it may have compacted */
	WATCH_ERROR     /* the line is an error */
};
bool answer_watch(const char *text, size_t length, enum watch_news *,
		  struct seen_keys *events);

/* The gRPC codes of errors. */
enum grpc_code {
	GRPC_NONE = -1, /* the body has no code: it is not etcd's */
	GRPC_INVALID_ARGUMENT = 3,
	GRPC_NOT_FOUND = 5,
	GRPC_PERMISSION_DENIED = 7,
	GRPC_RESOURCE_EXHAUSTED = 8,
	GRPC_FAILED_PRECONDITION = 9,
	GRPC_UNAVAILABLE = 14,
	GRPC_UNAUTHENTICATED = 16
};

/*
 * The body of an answer that is not 200: returns its code, and copies its
 * message, cut to the room.  Reads both forms: that of an answer and that of a
 * stream.  GRPC_NONE: the message is empty.
 */
int answer_error(const char *text, size_t length, char *message, size_t room);

#endif
