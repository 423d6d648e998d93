/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An arena is memory that several processes share, at a different address in
 * each.  It holds an algorithm's words; the tests call the algorithm directly,
 * without members.
 */
#ifndef ATMOST_TESTS_ARENA_H
#define ATMOST_TESTS_ARENA_H

#include "runtime/layout.h"

#include <sys/types.h>

#include <stdatomic.h>

/* The first page counts the holders; the words and own words follow. */
struct shared {
	atomic_uint inside;
	atomic_uint most;
	atomic_uint passages;
	atomic_uint clashes;   /* how often a slot had two holders */
	atomic_bool taken[64]; /* for each slot */
	uint64_t alone;        /* k = 1: every holder increments it */
};

struct arena {
	const struct algorithm *algorithm;
	struct shape shape;
	struct layout layout;
	size_t size;
	int file;
	struct shared *shared;
};

void arena_build(struct arena *arena, const char *name, unsigned n, unsigned k);
void arena_build_group(struct arena *arena, const char *name, unsigned n,
		       unsigned sessions);
void arena_tear_down(struct arena *arena);

/* To be called in a forked child: maps the arena at an address that neither its
 * parent nor its siblings use. */
void arena_move(struct arena *arena, unsigned id);

struct word *arena_bell(const struct arena *arena);
struct word *arena_words(const struct arena *arena);
struct process arena_process(const struct arena *arena, unsigned id);

void arena_enter(const struct arena *arena, struct process *self);
void arena_leave(const struct arena *arena, struct process *self);

/*
 * Waits for a child.  It must have been killed if `killed` is true, and must
 * have exited with 0 otherwise.
 */
void arena_reap(pid_t pid, bool killed);

#endif
