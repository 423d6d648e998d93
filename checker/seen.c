/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "checker/seen.h"

#include <sys/mman.h>

enum { HUGE = 2 << 20, FIRST_LINES = 1 << 8 };

static size_t table_bytes(uint64_t lines)
{
	size_t bytes = lines * SEEN_LINE * sizeof(uint64_t);

	return (bytes + HUGE - 1) / HUGE * HUGE;
}

/* Half as large again: after growing, a state still has less than 16 bytes. */
static uint64_t next_lines(uint64_t lines)
{
	return lines + lines / 2;
}

bool seen_open(struct seen *s, size_t budget, bool shared)
{
	uint64_t lines = FIRST_LINES;
	size_t space = 0;

	/* A table and its successor live side by side while it grows. */
	for (;;) {
		space += table_bytes(lines);
		if (table_bytes(lines) + table_bytes(next_lines(lines)) > budget)
			break;
		lines = next_lines(lines);
	}
	s->space_size = space + HUGE;
	s->space = mmap(NULL, s->space_size, PROT_READ | PROT_WRITE,
			(shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS |
				MAP_NORESERVE,
			-1, 0);
	if (s->space == MAP_FAILED)
		return false;
	/* Without huge pages every look-up misses the address cache too. */
	madvise(s->space, s->space_size, MADV_HUGEPAGE);
	s->used = (HUGE - (uintptr_t)s->space % HUGE) % HUGE;
	s->table = (uint64_t *)(void *)(s->space + s->used);
	s->lines = FIRST_LINES;
	s->used += table_bytes(s->lines);
	s->shared = shared;
	return true;
}

void seen_close(struct seen *s)
{
	munmap(s->space, s->space_size);
}

bool seen_add(struct seen *s, uint64_t fingerprint)
{
	uint64_t line = seen_line(s, fingerprint);

	if (fingerprint == 0) /* means: empty */
		fingerprint = 1;
	for (;;) {
		uint64_t *entry = s->table + line * SEEN_LINE;

		for (unsigned i = 0; i < SEEN_LINE; i++) {
			uint64_t there =
				__atomic_load_n(&entry[i], __ATOMIC_RELAXED);

			/* Relaxed: a fingerprint carries nothing with it. */
			if (there == 0 &&
			    __atomic_compare_exchange_n(
				    &entry[i], &there, fingerprint, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
				return true;
			if (there == fingerprint)
				return false;
		}
		if (++line == s->lines)
			line = 0;
	}
}

bool seen_needs_growth(const struct seen *s, uint64_t states)
{
	return states > s->lines * SEEN_LINE / 100 * 85;
}

bool seen_grow(struct seen *s)
{
	uint64_t *old = s->table;
	size_t old_bytes = table_bytes(s->lines);
	uint64_t count = s->lines * SEEN_LINE;
	uint64_t lines = next_lines(s->lines);

	if (s->used + table_bytes(lines) > s->space_size)
		return false;
	s->table = (uint64_t *)(void *)(s->space + s->used);
	s->lines = lines;
	s->used += table_bytes(lines);
	for (uint64_t i = 0; i < count; i++)
		if (old[i])
			seen_add(s, old[i]);
	madvise(old, old_bytes, s->shared ? MADV_REMOVE : MADV_DONTNEED);
	return true;
}

double seen_error(uint64_t states)
{
	return (double)states * (double)states / 2 / 18446744073709551616.0;
}
