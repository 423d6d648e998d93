/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns transactions into requests, guard by guard. */
#ifndef ATMOST_MEMORY_ETCD_TRANSACTION_REQUEST_H
#define ATMOST_MEMORY_ETCD_TRANSACTION_REQUEST_H

#include "answer.h"
#include "keys.h"
#include "mem.h"
#include "queue.h"
#include "text.h"

/* Where the words of a transaction are, and what they are called. */
struct word_names {
	const char *root;
	bool groups;
	const struct word *words;
	unsigned slots, rows;
	const int64_t *leases; /* of each row */
	const char *member;    /* the value of a member */
	int64_t lease;         /* the lease that puts belong to */
};

/*
 * Adds the body of the transaction: the guards that all alternatives have, then
 * the alternatives, nested by their failures, and then ranges over the pool,
 * the slots and this part of the waiters.  Sets the form of the answer.
 * Returns false if a request cannot express one of the clauses.
 */
bool request_of_transaction(struct text *, const struct transaction *,
			    const struct word_names *,
			    const struct queue_part *,
			    struct transaction_form *);

/* Adds the body of a look: the ranges alone. */
void request_of_look(struct text *, const char *root, const struct queue_part *,
		     struct transaction_form *);

/* The same with all waiters and the members. */
void request_of_status(struct text *, const char *root,
		       struct transaction_form *);

#endif
