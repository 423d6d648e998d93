/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks etcd, and says in a sentence why etcd did not do what was asked. */
#ifndef ATMOST_CLUSTER_ASK_H
#define ATMOST_CLUSTER_ASK_H

#include "cluster/connection.h"
#include "memory/etcd/answer.h"

/*
 * Sends the body until there is an answer, which is then in exchange.answer.
 * An empty body: GET.
 *
 * Returns 0, or after writing `why`:
 *   ATMOST_EUNREACHED   etcd was not reached before the moment
 *   ATMOST_EREFUSED     etcd refuses, is too old, has no gateway or no space,
 *                       or the endpoint is not etcd
 *   ATMOST_EPERMISSION  etcd does not know the user, or the user may not do it
 *   ATMOST_ENOMEM
 */
int ask(struct connection *, const char *path);

/* The answer to ask was bad: sends the request again.  Returns like
 * ask. */
int ask_again(struct connection *, const char *why);

/*
 * Sends the body, a transaction of this form, and again while its answer is
 * bad.  *made is -1 if no alternative was made.  After 0 the caller frees *seen.
 * Returns like ask.
 */
int ask_transaction(struct connection *, const struct transaction_form *,
		    int *made, struct seen_keys *seen);

/*
 * Writes `why` for a result of a wire that others have got, with etcd's code
 * and message: see struct exchange and struct etcd_trouble.  Returns the error.
 */
int ask_explain(struct connection *, enum wire_result, int code,
		const char *message);

#endif
