/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/seen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_LINES = 1 << 8 };

/*
 * Returns the number of lines after the next growth.  This is three quarters
 * more than now, so that a state then takes less than 16 bytes; if the budget
 * does not allow that, it is the largest number that the budget allows.
 * Returns 0 if even that number exceeds the present number by less than an
 * eighth.
 */
static uint64_t next_lines(const struct seen *s)
{
	const uint64_t wanted = s->lines + s->lines / 4 * 3;

	if (wanted <= s->most_lines)
		return wanted;
	return s->most_lines - s->lines >= s->lines / 8 ? s->most_lines : 0;
}

static const size_t line_bytes = SEEN_LINE * sizeof(uint64_t);

static size_t table_bytes(uint64_t lines)
{
	return (lines + SEEN_SLACK) * line_bytes;
}

bool seen_open(struct seen *s, size_t budget, bool shared)
{
	s->lines = s->most_lines = FIRST_LINES;
	if (budget > table_bytes(FIRST_LINES))
		s->most_lines = budget / line_bytes - SEEN_SLACK;
	s->table = mmap(NULL, table_bytes(s->most_lines),
			PROT_READ | PROT_WRITE,
			(shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS |
				MAP_NORESERVE,
			-1, 0);
	if (s->table == MAP_FAILED)
		return false;
	/* Without huge pages, every lookup would miss the TLB as well as the
	 * cache. */
	madvise(s->table, table_bytes(s->most_lines), MADV_HUGEPAGE);
	return true;
}

void seen_close(struct seen *s)
{
	munmap(s->table, table_bytes(s->most_lines));
}

bool seen_add(struct seen *s, uint64_t fingerprint)
{
	uint64_t line = seen_line(s, fingerprint);

	if (fingerprint == 0) /* 0 marks an empty entry */
		fingerprint = 1;
	for (;;) {
		uint64_t *entry = s->table + line * SEEN_LINE;

		for (unsigned i = 0; i < SEEN_LINE; i++) {
			uint64_t there = __atomic_load_n(&entry[i],
							 __ATOMIC_RELAXED);

			/* relaxed: no other data is published with an entry. */
			if (there == 0 &&
			    __atomic_compare_exchange_n(&entry[i], &there,
							fingerprint, false,
							__ATOMIC_RELAXED,
							__ATOMIC_RELAXED))
				return true;
			if (there == fingerprint)
				return false;
		}
		line++;
	}
}

bool seen_has(const struct seen *s, uint64_t fingerprint)
{
	const uint64_t *entry = s->table +
				seen_line(s, fingerprint) * SEEN_LINE;

	if (fingerprint == 0)
		fingerprint = 1;
	while (*entry && *entry != fingerprint)
		entry++;
	return *entry != 0;
}

bool seen_needs_growth(const struct seen *s, uint64_t states)
{
	return states > s->lines * SEEN_LINE / 100 * 90;
}

static void empty_lines(struct seen *s, uint64_t first, uint64_t count,
			uint64_t *to)
{
	uint64_t *from = s->table + first * SEEN_LINE;
	size_t bytes = count * SEEN_LINE * sizeof *from;

	memcpy(to, from, bytes);
	memset(from, 0, bytes);
}

/* Add a new fingerprint while no other worker adds. */
static void place(struct seen *s, uint64_t fingerprint)
{
	uint64_t *entry = s->table + seen_line(s, fingerprint) * SEEN_LINE;

	while (*entry)
		entry++;
	*entry = fingerprint;
}

/*
 * Empty the lines from the last to the first, and move each entry to its home
 * in the larger table.  An entry whose old home is line h is at most in line h
 * + SEEN_SLACK, and its new home is line h + h/8 or later.  So the new home is
 * beyond all lines that are not yet empty, except for the first FRONT lines;
 * these are emptied together.
 */
bool seen_grow(struct seen *s)
{
	enum { FRONT = 9 * SEEN_SLACK + 16 };
	uint64_t old = s->lines + SEEN_SLACK, line[SEEN_LINE];
	uint64_t front = old < FRONT ? old : FRONT;
	uint64_t *first, lines = next_lines(s);

	if (!lines)
		return false;
	first = malloc(front * sizeof line);
	if (!first)
		return false;
	s->lines = lines;
	for (uint64_t i = old; i-- > front;) {
		empty_lines(s, i, 1, line);
		for (unsigned j = 0; j < SEEN_LINE; j++)
			if (line[j])
				place(s, line[j]);
	}
	empty_lines(s, 0, front, first);
	for (uint64_t j = 0; j < front * SEEN_LINE; j++)
		if (first[j])
			place(s, first[j]);
	free(first);
	return true;
}

double seen_error(uint64_t states)
{
	return (double)states * (double)states / 2 / 18446744073709551616.0;
}
