/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks etcd, and says in a sentence why etcd did not do what was asked. */
#ifndef ATMOST_CLUSTER_ASK_H
#define ATMOST_CLUSTER_ASK_H

#include "cluster/connection.h"
#include "memory/etcd/answer.h"

/*
 * Sends the connection's body again and again until etcd answers.  The answer
 * is then in exchange.answer.  An empty body makes a GET request.
 *
 * Returns 0, or after writing `why`:
 *   ATMOST_EUNREACHED   etcd was not reached before connection.until
 *   ATMOST_EREFUSED     etcd refuses, is too old, has no gateway or no space,
 *                       or the endpoint is not etcd
 *   ATMOST_EPERMISSION  etcd does not know the user, or the user may not do it
 *   ATMOST_ENOMEM
 */
int ask(struct connection *, const char *path);

/* Sends the request of ask again, because its answer was bad.  Returns like
 * ask. */
int ask_again(struct connection *, const char *why);

/*
 * Sends the body, which is a transaction of this form, and sends it again while
 * the answer is bad.  *made is -1 if etcd made no alternative.  After 0 the
 * caller frees *seen.  Returns like ask.
 */
int ask_transaction(struct connection *, const struct transaction_form *,
		    int *made, struct seen_keys *seen);

/*
 * Writes connection->why for a result that other code got from a wire.  `code`
 * and `message` are etcd's (struct exchange, struct etcd_trouble).  Returns the
 * error.
 */
int ask_explain(struct connection *, enum wire_result, int code,
		const char *message);

#endif
