/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A transaction as data (memory/mem.h, "A store"): alternatives in order, each
 * with guards and writes.  A store makes the first alternative whose guards all
 * hold, at one instant.  Algorithms build transactions with the functions here;
 * the memories read the clauses.
 */
#ifndef ATMOST_MEMORY_TRANSACTION_H
#define ATMOST_MEMORY_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct word;

/*
 * The words of a store lie in four ranges, one after the other.  A memory finds
 * the key of a word, and the prefix of a range, by this order.
 *
 *   range         rows    key     value
 *   STORE_POOL    1       pool    store_pool(k, paused); no lease owns it
 *   STORE_SLOT    slots   s/ROW   the holder's session; 0 without groups
 *   STORE_MEMBER  n       m/LEASE 0; a look does not see this range
 *   STORE_WAITER  n       w/LEASE the waiter's session; 0 without groups
 *
 * `slots` is shape_slots(shape), or n if the pool has no limit (k is 0).
 */
enum store_range {
	STORE_POOL,
	STORE_SLOT,
	STORE_MEMBER,
	STORE_WAITER,
	STORE_RANGES
};

/* Returns the number of words of a range. */
static inline size_t store_rows(enum store_range range, unsigned slots,
				unsigned n)
{
	return range == STORE_POOL ? 1 : range == STORE_SLOT ? slots : n;
}

/* Returns the index of the first word of a range.  The index of STORE_RANGES is
 * the number of all words. */
static inline size_t store_at(enum store_range range, unsigned slots,
			      unsigned n)
{
	size_t at = 0;

	for (unsigned r = 0; r < (unsigned)range; r++)
		at += store_rows((enum store_range)r, slots, n);
	return at;
}

/* The value of the pool's word: its limit, and whether it is paused. */
static inline uint64_t store_pool(uint64_t k, bool paused)
{
	return k << 1 | paused;
}

static inline uint64_t store_pool_k(uint64_t value)
{
	return value >> 1;
}

static inline bool store_pool_paused(uint64_t value)
{
	return value & 1;
}

enum clause_kind {
	CLAUSE_END,    /* after the last clause */
	CLAUSE_ELSE,   /* the next alternative begins */
	CLAUSE_ABSENT, /* guards */
	CLAUSE_STAMP,
	CLAUSE_NONE,
	CLAUSE_ALL,
	CLAUSE_PUT, /* writes */
	CLAUSE_SET,
	CLAUSE_DROP
};

/* The fields are whole words: a simulated state contains them, and padding
 * would be undefined. */
struct clause {
	uint32_t kind;  /* enum clause_kind */
	uint32_t count; /* words, from `word` on */
	struct word *word;
	uint64_t value; /* a value or a stamp */
};

/* The last clause stays CLAUSE_END. */
enum { TRANSACTION_CLAUSES = 80 };

struct transaction {
	uint64_t clauses;
	struct clause clause[TRANSACTION_CLAUSES];
};

/* The answers of mem_commit and mem_survey that are not the number of an
 * alternative. */
enum { MEM_NONE = -1, MEM_LAPSED = -2 };

/* A transaction that is too long is cut off at the same place in every memory;
 * the searches of the checker would show it. */
static inline void transaction_add(struct transaction *t, enum clause_kind kind,
				   struct word *word, uint32_t count,
				   uint64_t value)
{
	if (t->clauses < TRANSACTION_CLAUSES - 1)
		t->clause[t->clauses++] = (struct clause){ (uint32_t)kind,
							   count, word, value };
}

/* Returns whether an alternative puts a word that is to belong to the lease. */
static inline bool transaction_needs_lease(const struct transaction *t)
{
	for (uint64_t i = 0; i < t->clauses; i++)
		if (t->clause[i].kind == CLAUSE_PUT)
			return true;
	return false;
}

#define mem_begin() ((struct transaction){ .clauses = 0 })

static inline void mem_else(struct transaction *t)
{
	transaction_add(t, CLAUSE_ELSE, NULL, 0, 0);
}

static inline void mem_if_absent(struct transaction *t, struct word *w)
{
	transaction_add(t, CLAUSE_ABSENT, w, 1, 0);
}

static inline void mem_if_stamp(struct transaction *t, struct word *w,
				uint64_t stamp)
{
	transaction_add(t, CLAUSE_STAMP, w, 1, stamp);
}

static inline void mem_if_none(struct transaction *t, struct word *words,
			       unsigned n)
{
	transaction_add(t, CLAUSE_NONE, words, n, 0);
}

static inline void mem_if_all(struct transaction *t, struct word *words,
			      unsigned n, uint64_t value)
{
	transaction_add(t, CLAUSE_ALL, words, n, value);
}

static inline void mem_put(struct transaction *t, struct word *w,
			   uint64_t value)
{
	transaction_add(t, CLAUSE_PUT, w, 1, value);
}

static inline void mem_set(struct transaction *t, struct word *w,
			   uint64_t value)
{
	transaction_add(t, CLAUSE_SET, w, 1, value);
}

static inline void mem_drop(struct transaction *t, struct word *w)
{
	transaction_add(t, CLAUSE_DROP, w, 1, 0);
}

#endif
