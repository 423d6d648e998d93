/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is shared, and how it is kept for many.
 *
 * A subject is the thing itself: a counter, which is one word, or a book of
 * accounts, which is 64.  A keeper lets many apply operations to it: the
 * library's resilient object, a mutex, a robust mutex, compare-and-swap.
 */
#ifndef ATMOST_BENCH_RESILIENT_KEEPER_H
#define ATMOST_BENCH_RESILIENT_KEEPER_H

#include "atmost/resilient.h"

#include <stdbool.h>
#include <stdint.h>

enum { BOOK_WORDS = 64, MEMBERS_MOST = 64 };

enum subject { COUNTER, BOOK, SUBJECTS };

/* The book: word 0 counts the transfers, the others are balances. */
enum { BOOK_TRANSFER = 1 };

/* Who transfers to whom the next time; each time others. */
struct transfer {
	unsigned from, to;
};

struct transfer transfer_next(uint64_t *turn);

/* One from one to the other: what a keeper of the book does. */
void book_transfer(uint64_t *book, unsigned from, unsigned to);

const char *subject_name(enum subject subject);
size_t subject_words(enum subject subject);
struct atmost_object_type subject_type(enum subject subject);

/* Whether it can look so after so many operations. */
bool subject_is_right(enum subject subject, const uint64_t *state,
		      uint64_t operations);

struct keeper;

/* One instance. */
struct stand {
	const struct keeper *keeper;
	unsigned k, n; /* 0 where the keeper has no such thing */
	void *kept;    /* the keeper's own */
};

/* One that applies operations to it. */
struct guest {
	const struct stand *stand;
	struct atmost_object_member *me; /* the library's only */
	uint64_t turn;                   /* of transfer_next */
};

struct keeper {
	const char *name;
	enum subject subject;

	/* Its pass, for callgrind. */
	const char *function;

	/*
	 * s->k and s->n are given.  `guests` of the n will join; the others
	 * are members that do nothing.  False: it says why on stderr.
	 */
	bool (*open)(struct stand *s, unsigned guests);
	void (*close)(struct stand *s);

	/* By the thread that will pass.  NULL: there is nothing to do. */
	bool (*join)(struct guest *g);
	void (*part)(struct guest *g);

	/* So many operations. */
	void (*pass)(struct guest *g, unsigned long count);

	/* The state, with nobody at it. */
	void (*look)(const struct stand *s, uint64_t *state);
};

extern const struct keeper keeper_mutex[SUBJECTS];
extern const struct keeper keeper_robust[SUBJECTS];
extern const struct keeper keeper_object[SUBJECTS];
extern const struct keeper keeper_swap; /* a counter's only */

/* So that the compiler keeps a pass, and each operation in it, as it is. */
#define KEEP __attribute__((noinline))
#define DO_NOT_OPTIMISE() __asm__ volatile("" ::: "memory")

#endif
