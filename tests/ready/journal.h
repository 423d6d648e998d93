/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was asked of an object and what it answered, written down outside of the
 * library, in memory that all processes of a test share and that a killed one
 * leaves as it was.
 *
 * Each writer has pages of its own.  What it asks for is there before it asks,
 * and the answer when it has it; stamps from one clock say when.  An operation
 * without an end is what its writer was at when it was killed.
 */
#ifndef ATMOST_TESTS_READY_BOOK_H
#define ATMOST_TESTS_READY_BOOK_H

#include "linear/linear.h"

#include <stdatomic.h>

enum { WRITERS = 9, ENTRIES = 1 << 15 };

struct entry {
	_Atomic uint64_t invoked, ended; /* stamps; 0: not */
	uint64_t operation, argument[MODEL_WORDS], result[MODEL_WORDS];
	uint64_t tag;
	bool never; /* it has no end, and it is known not to have happened */
};

struct page {
	_Alignas(64) _Atomic size_t count;
	struct entry entry[ENTRIES];
};

struct book {
	_Atomic uint64_t clock;
	_Atomic bool stop;      /* everybody: come to an end */
	_Atomic unsigned ready; /* to begin, with the others */
	struct page page[WRITERS];
};

struct book *book_open(void);
void book_close(struct book *book);
/* For another object; nobody writes. */
void book_clear(struct book *book);

/* Before asking: NULL, the pages are full.  After the answer. */
struct entry *book_ask(struct book *book, unsigned writer, uint64_t operation,
		       const uint64_t *argument);
void book_answer(struct book *book, struct entry *entry,
		 const uint64_t *result);

/* The last one of a writer, if nothing is known of its end; else NULL. */
struct entry *book_unfinished(struct book *book, unsigned writer);

size_t book_count(const struct book *book);

/* How many of them others were asked for in between. */
size_t book_overlaps(const struct book *book);

/* Whether all that is written down is linearizable; prints what is not. */
enum linear_verdict book_check(const struct book *book,
			       const struct model *model, unsigned capacity);

/* A random operation of the type: wish[0], and its arguments.  Values that are
 * put somewhere are `unique`; `seen` is a value that was met before. */
void book_wish(unsigned which, unsigned capacity, uint64_t *random,
	       uint64_t unique, uint64_t seen, uint64_t *wish);

#endif
