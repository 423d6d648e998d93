/* SPDX-License-Identifier: BSD-2-Clause */
/* One attempt to send a request: prepares libcurl, and decides whether the
 * answer is definite. */
#ifndef ATMOST_MEMORY_ETCD_ATTEMPT_H
#define ATMOST_MEMORY_ETCD_ATTEMPT_H

#include "wire.h"

/* What is the same for all attempts of a wire. */
struct attempt_settings {
	bool tls;
	char *ca, *certificate, *key; /* NULL: none */
	long patience_ms;
};

/* Prepares exchange->easy for an attempt at the endpoint, with the token of
 * etcd if there is one.  Returns false if memory runs out. */
bool attempt_prepare(struct exchange *, const struct attempt_settings *,
		     const char *endpoint, const char *token);

/*
 * Judges the answer that the exchange has got.  WIRE_PENDING: it is not
 * definite.  If *login is set, etcd asks for a new token.  Sets code and
 * message.
 */
enum wire_result attempt_judge(struct exchange *, bool *login);

#endif
