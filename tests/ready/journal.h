/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The journal records the operations that workers invoked and the results that
 * they got.  It is kept outside of the library, in memory that all processes of
 * a test share.  The death of a worker does not change this memory.
 *
 * Each writer has a log of its own.  The writer adds an entry before it invokes
 * an operation, and stores the result when the operation has returned.  Stamps
 * from one counter give the order of all invocations and ends.  If an entry has
 * no end, its writer was killed during the operation.
 */
#ifndef ATMOST_TESTS_READY_JOURNAL_H
#define ATMOST_TESTS_READY_JOURNAL_H

#include "linear/linear.h"

#include <stdatomic.h>

enum { WRITERS = 9, ENTRIES = 1 << 15 };

struct entry {
	_Atomic uint64_t invoked, ended; /* stamps; 0: not yet */
	uint64_t operation, argument[MODEL_WORDS], result[MODEL_WORDS];
	uint64_t tag;
	bool never; /* the operation has no end and did not happen */
};

struct log {
	_Alignas(64) _Atomic size_t count;
	struct entry entry[ENTRIES];
};

struct journal {
	_Atomic uint64_t clock;
	_Atomic bool stop;      /* tells the workers to end */
	_Atomic unsigned ready; /* how many workers are ready to begin */
	struct log log[WRITERS];
};

struct journal *journal_open(void);
void journal_close(struct journal *journal);
/*
 * Empties the journal, for another object.  While it runs, no worker must write
 * to the journal.
 */
void journal_clear(struct journal *journal);

/* journal_invoke is called before an operation is invoked; it returns NULL if
 * the log is full.  journal_respond is called when the operation has
 * returned. */
struct entry *journal_invoke(struct journal *journal, unsigned writer,
			     uint64_t operation, const uint64_t *argument);
void journal_respond(struct journal *journal, struct entry *entry,
		     const uint64_t *result);

/* Returns the last entry of a writer if the entry has no end, else NULL. */
struct entry *journal_unfinished(struct journal *journal, unsigned writer);

size_t journal_count(const struct journal *journal);

/* Returns how many operations overlap another operation. */
size_t journal_overlaps(const struct journal *journal);

/*
 * Returns whether the operations are linearizable; if they are not, prints an
 * operation that cannot be explained.
 */
enum linear_verdict journal_check(const struct journal *journal,
				  const struct model *model, unsigned capacity);

/* Chooses a random operation of the type: its number is request[0], and its
 * arguments follow.  If the operation stores a value, that value is `unique`;
 * `seen` is a value that the worker got as a result earlier. */
void journal_choose(unsigned which, unsigned capacity, uint64_t *random,
		    uint64_t unique, uint64_t seen, uint64_t *request);

#endif
