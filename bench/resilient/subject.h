/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A subject is the data that threads share: a counter, or a book of accounts.
 */
#ifndef ATMOST_BENCH_RESILIENT_SUBJECT_H
#define ATMOST_BENCH_RESILIENT_SUBJECT_H

#include "atmost/resilient.h"

#include <stdbool.h>
#include <stdint.h>

enum { BOOK_WORDS = 64, MEMBERS_MOST = 64 };

enum subject { COUNTER, BOOK, SUBJECTS };

/* The book: word 0 counts the transfers, the other words are balances. */
enum { BOOK_TRANSFER = 1 };

struct transfer {
	unsigned from, to;
};

/* Returns the next pair of accounts, which differs from the previous pair. */
struct transfer transfer_next(uint64_t *turn);

/* Moves 1 from one account to the other. */
void book_transfer(uint64_t *book, unsigned from, unsigned to);

const char *subject_name(enum subject subject);
size_t subject_words(enum subject subject);
struct atmost_object_type subject_type(enum subject subject);

/* Returns whether `operations` operations can lead to this state. */
bool subject_is_right(enum subject subject, const uint64_t *state,
		      uint64_t operations);

#endif
