/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Describes the words of a wait-free object: the meaning of their bits, and
 * where each word is.
 *
 *	current   bits 0-11: index of the published record; bits 12-63: version
 *	toggles   bit i%64 of word i/64 belongs to name i
 *	announce  for each name two entries, one for each value of its toggle:
 *	          tag (0: the entry was never used), operation, arguments
 *	record    records 2i and 2i+1 for name i, and an initial record that is
 *	          never written again.  A record has the state, `applied`, and
 *	          the results of each name
 *
 * `applied` is a copy of the toggles: the record includes all operations that
 * were announced with these toggles.  The operation of a name is pending while
 * the toggle of the name differs from its copy in the published record.
 *
 * All sizes come from the caller's own `struct object` (construction.h).  The
 * index in `current` is the only value in shared words that decides which word
 * a process accesses.  Before a process uses the index, it compares the index
 * with the number of records.
 */
#ifndef ATMOST_WAIT_FREE_WORDS_H
#define ATMOST_WAIT_FREE_WORDS_H

#include "algorithm.h"

enum { INDEX_BITS = 12, MOST_NAMES = 2047 };

/* The first result of a withdrawn operation; no other operation returns it. */
static const uint64_t WITHDRAWN = UINT64_MAX;

/* A word with its own cache line.  whole_lines rounds a number of words up to
 * whole cache lines. */
struct line {
	OWN_LINE struct word word;
};

static inline size_t whole_lines(size_t words)
{
	size_t each = WORDS(struct line);

	return (words + each - 1) / each * each;
}

static inline unsigned toggle_words(const struct object *o)
{
	return (o->names + 63) / 64;
}

/* Returns W, the number of words of a record. */
static inline unsigned width(const struct object *o)
{
	return o->state + toggle_words(o) + o->names * o->results;
}

static inline unsigned applied_from(const struct object *o)
{
	return o->state;
}

static inline unsigned result_from(const struct object *o, unsigned name)
{
	return o->state + toggle_words(o) + name * o->results;
}

/* current and each word of toggles have a cache line of their own.  The
 * announcements of each name start a new line, and so does each record. */

static inline size_t announce_at(const struct object *o, unsigned name)
{
	return (1 + toggle_words(o)) * WORDS(struct line) +
	       name * whole_lines(2 * (2 + (size_t)o->arguments));
}

static inline size_t record_at(const struct object *o, unsigned record)
{
	return announce_at(o, o->names) + record * whole_lines(width(o));
}

static inline size_t wait_free_words(const struct object *o)
{
	return record_at(o, 2 * o->names + 1);
}

/* There are four pieces: current and the toggles; the initial record; the
 * announcements of the names; the records of the names. */
static inline bool wait_free_extent(const struct object *o, unsigned from,
				    unsigned to, unsigned piece,
				    struct extent *extent)
{
	const size_t starts[] = { 0, record_at(o, 2 * o->names),
				  announce_at(o, from), record_at(o, 2 * from) };
	const size_t ends[] = { announce_at(o, 0), wait_free_words(o),
				announce_at(o, to), record_at(o, 2 * to) };

	if (piece > 3)
		return false;
	*extent = (struct extent){ starts[piece],
				   ends[piece] - starts[piece] };
	return true;
}

static inline struct word *current_of(const struct object *o)
{
	return o->words;
}

static inline struct word *toggles_of(const struct object *o, unsigned name)
{
	return o->words + (1 + name / 64) * WORDS(struct line);
}

/*
 * Returns the word of the tag; the words of the operation and its arguments
 * follow.
 */
static inline struct word *announce_of(const struct object *o, unsigned name,
				       unsigned toggle)
{
	return o->words + announce_at(o, name) + toggle * (2 + o->arguments);
}

static inline struct word *record_of(const struct object *o, unsigned record)
{
	return o->words + record_at(o, record);
}

static inline unsigned index_of(uint64_t current)
{
	return (unsigned)current & ((1 << INDEX_BITS) - 1);
}

static inline bool is_damaged(const struct object *o, uint64_t current)
{
	return index_of(current) > 2 * o->names;
}

static inline uint64_t next_current(uint64_t current, unsigned record)
{
	return ((current >> INDEX_BITS) + 1) << INDEX_BITS | record;
}

static inline unsigned bit_of(const uint64_t *bits, unsigned name)
{
	return bits[name / 64] >> name % 64 & 1;
}

/* The own words are the record that the process is making, the operations to
 * apply, and the toggles that the process has read. */

static inline uint64_t *mine_of(const struct object *o)
{
	return o->own;
}

static inline uint64_t *task_of(const struct object *o, unsigned name)
{
	return o->own + width(o) + name * (1 + o->arguments);
}

static inline uint64_t *seen_of(const struct object *o)
{
	return task_of(o, o->names);
}

static inline unsigned wait_free_own(const struct object *o)
{
	return width(o) + o->names * (1 + o->arguments) + toggle_words(o);
}

/* wait_free_init sets the state to zero; then the caller pokes other initial
 * values at first_state. */

static inline struct word *first_state(const struct object *o)
{
	return record_of(o, 2 * o->names);
}

static inline void name_words(const struct object *o)
{
	mem_name(current_of(o), "current");
	for (unsigned j = 0; j < toggle_words(o); j++)
		mem_name(toggles_of(o, 64 * j), "toggles", j);
	for (unsigned i = 0; i < o->names; i++)
		for (unsigned t = 0; t < 2; t++)
			for (unsigned a = 0; a < 2 + o->arguments; a++)
				mem_name(announce_of(o, i, t) + a, "announce",
					 i, t, a);
	for (unsigned r = 0; r <= 2 * o->names; r++)
		for (unsigned w = 0; w < width(o); w++)
			mem_name(record_of(o, r) + w, "record", r, w);
}

static inline void wait_free_init(const struct object *o)
{
	for (size_t i = 0; i < wait_free_words(o); i++)
		mem_poke(o->words + i, 0);
	mem_poke(current_of(o), 2 * o->names);
	name_words(o);
}

/* Returns true if no operation is pending. */
static inline bool wait_free_quiet(const struct object *o)
{
	uint64_t current = mem_peek(current_of(o));
	struct word *applied;

	if (is_damaged(o, current))
		return false;
	applied = record_of(o, index_of(current)) + applied_from(o);
	for (unsigned j = 0; j < toggle_words(o); j++)
		if (mem_peek(toggles_of(o, 64 * j)) != mem_peek(applied + j))
			return false;
	return true;
}

#endif
