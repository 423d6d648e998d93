/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stores the set of states seen, as 64-bit fingerprints, eight per cache line.
 * A search for a fingerprint begins at its home line.  The fingerprints are in
 * the order of their home lines, so that the table can grow in place.  The
 * workers of a search share the set and add to it without a lock.
 */
#ifndef ATMOST_CHECKER_SEEN_H
#define ATMOST_CHECKER_SEEN_H

#include "checker/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seen {
	uint64_t *table;
	uint64_t lines;      /* cache lines in use */
	uint64_t most_lines; /* most lines that the budget allows */
};

/* SEEN_SLACK lines follow the lines in use, so that no search for a free entry
 * has to wrap around. */
enum { SEEN_LINE = 8, SEEN_SLACK = 1024 };

/*
 * `budget` is the largest number of bytes that the set is allowed to take.
 * Returns false if there is no memory.
 */
bool seen_open(struct seen *s, size_t budget, bool shared);
void seen_close(struct seen *s);

/*
 * Returns true if the fingerprint was added, and false if the set already
 * contained it.
 */
bool seen_add(struct seen *s, uint64_t fingerprint);

bool seen_has(const struct seen *s, uint64_t fingerprint);

/* Returns whether this number of states needs a larger table. */
bool seen_needs_growth(const struct seen *s, uint64_t states);

/* Enlarge the table while no worker adds to it.  Returns false if the budget or
 * the memory does not allow it. */
bool seen_grow(struct seen *s);

/* Returns the probability that two states among this number of states have the
 * same fingerprint. */
double seen_error(uint64_t states);

static inline uint64_t seen_line(const struct seen *s, uint64_t fingerprint)
{
	return (uint64_t)((hash_product)fingerprint * s->lines >> 64);
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
