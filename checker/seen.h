/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The set of states seen: 64-bit fingerprints, eight to a cache line, kept in
 * the order of their home lines so that the table can grow in place.  Shared
 * by the workers of a search, which add without a lock.
 */
#ifndef ATMOST_CHECKER_SEEN_H
#define ATMOST_CHECKER_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seen {
	uint64_t *table;
	uint64_t lines;      /* cache lines in use */
	uint64_t most_lines; /* that the budget allows */
};

/*
 * SLACK lines follow the last one, so that no search for a place comes round
 * to the front.
 */
enum { SEEN_LINE = 8, SEEN_SLACK = 1024 };

/* budget: bytes the set may take at most. */
bool seen_open(struct seen *s, size_t budget, bool shared);
void seen_close(struct seen *s);

/* True: fingerprint was not there and is now. */
bool seen_add(struct seen *s, uint64_t fingerprint);

bool seen_has(const struct seen *s, uint64_t fingerprint);

/* So many states need a larger table. */
bool seen_needs_growth(const struct seen *s, uint64_t states);

/* False: the budget does not allow it.  Nobody may add meanwhile. */
bool seen_grow(struct seen *s);

/* The chance that some state was taken for another one. */
double seen_error(uint64_t states);

static inline uint64_t seen_line(const struct seen *s, uint64_t fingerprint)
{
	__extension__ typedef unsigned __int128 product;

	return (uint64_t)((product)fingerprint * s->lines >> 64);
}

static inline void seen_prefetch(const struct seen *s, uint64_t fingerprint)
{
	__builtin_prefetch(s->table + seen_line(s, fingerprint) * SEEN_LINE, 1);
}

static inline size_t seen_bytes(const struct seen *s)
{
	return s->lines * SEEN_LINE * sizeof(uint64_t);
}

#endif
