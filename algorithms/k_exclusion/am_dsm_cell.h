/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the cell of Anderson and Moir's Figure 6, with capacity c.  It does
 * the same as the cell of Figure 2, but a process waits at a location in its
 * own memory.  c+2 locations per process are enough for any number of passages.
 *
 * Q names the location at which a process waits in this cell, as a pair
 * (process, location).  Before a process writes to the location that it read in
 * Q, it announces the location in R and reads Q again.  For its next wait a
 * process takes a location that no process has announced and that is not the
 * location of its last wait.  So a write that is meant to end one wait never
 * ends a later wait.
 */
#ifndef ATMOST_AM_DSM_CELL_H
#define ATMOST_AM_DSM_CELL_H

#include "am_place.h"

struct figure_6 {
	OWN_LINE struct word X; /* number of free places, signed: -1..c */
	OWN_LINE struct word Q; /* where a process waits, if X < 0 */
	/* P[c+2] and R[c+2] of each process follow, in its memory module. */
};

enum {
	CELL_OWN_WORDS = 1, /* `last`: the location of the previous wait */
	CELL_LEAVE_STEPS = 6,
	CELL_REMOTE = 14, /* DSM: lines 2, 7 to 11, 13, 15, and 16 to 21 */
};

static inline unsigned locations(const struct cell *cell)
{
	return cell->capacity + 2;
}

/* The words of one process, rounded up to whole cache lines, so that no other
 * process's words are on these lines. */
static inline size_t desk_words(const struct cell *cell)
{
	size_t line = WORDS(struct line);

	return (2 * locations(cell) + line - 1) / line * line;
}

static inline size_t cell_words(const struct cell *cell)
{
	return WORDS(struct figure_6) + cell->count * desk_words(cell);
}

static inline uint64_t at_location(unsigned process, unsigned location)
{
	return (uint64_t)process << 32 | location;
}

/*
 * spin_word returns the word P at the location that `where`, a value of Q,
 * names; P says whether the wait there is over.  announced returns the word R
 * of that location, which counts the processes that may be about to write P.
 * Values of Q are not trusted: a value out of range counts as location 0 of the
 * first process.
 */
static inline struct word *spin_word(const struct cell *cell, uint64_t where)
{
	unsigned process = (unsigned)(where >> 32) - cell->first;
	unsigned location = (uint32_t)where;

	if (process >= cell->count || location >= locations(cell))
		process = location = 0;
	return cell->words + WORDS(struct figure_6) +
	       process * desk_words(cell) + location;
}

static inline struct word *announced(const struct cell *cell, uint64_t where)
{
	return spin_word(cell, where) + locations(cell);
}

static inline void cell_init(const struct cell *cell, unsigned number)
{
	struct figure_6 *f = (struct figure_6 *)cell->words;

	mem_poke(&f->X, cell->capacity);
	/* Initially Q names location 0 of the first process.  `last` is
	 * initially 0 for every process, so no process takes location 0 for its
	 * first wait. */
	mem_poke(&f->Q, at_location(cell->first, 0));
	mem_name(&f->X, "X", number);
	mem_name(&f->Q, "Q", number);
	for (unsigned i = 0; i < cell->count * locations(cell); i++) {
		unsigned process = cell->first + i / locations(cell);
		unsigned location = i % locations(cell);
		uint64_t where = at_location(process, location);

		mem_poke(spin_word(cell, where), 0); /* could be any value */
		mem_poke(announced(cell, where), 0);
		mem_place(spin_word(cell, where), process);
		mem_place(announced(cell, where), process);
		mem_name(spin_word(cell, where), "P", number, process,
			 location);
		mem_name(announced(cell, where), "R", number, process,
			 location);
	}
}

static inline bool cell_quiet(const struct cell *cell)
{
	struct figure_6 *f = (struct figure_6 *)cell->words;

	for (unsigned i = 0; i < cell->count * locations(cell); i++)
		if (mem_peek(announced(cell, at_location(
				cell->first + i / locations(cell),
				i % locations(cell)))) != 0)
			return false;
	return mem_peek(&f->X) == cell->capacity;
}

/* Returns a location of ours that is not the location of our last wait, and to
 * which no process is about to write. */
static inline uint64_t free_location(const struct cell *cell,
				     struct process *self)
{
	unsigned last = (unsigned)mem_own_read(self, cell->own);
	unsigned location = (last + 1) % locations(cell); /* 3 */
	uint64_t r;

	for (;;) {
L4:		r = mem_read(announced(cell, at_location(self->id, location)));
		if (r == 0)
			return at_location(self->id, location);
		location = (location + 1) % locations(cell); /* 5 */
	}
}

/*
 * We have announced u.  Returns true if Q now names our location instead of u.
 */
static inline bool take_over(const struct cell *cell, uint64_t u, uint64_t next)
{
	struct figure_6 *f = (struct figure_6 *)cell->words;
	uint64_t v;

L9:	v = mem_read(&f->Q);
	if (v != u)
		return false;
L10:	mem_write(spin_word(cell, u), 1);
	mem_wake(spin_word(cell, u));
L11:	return mem_cas(&f->Q, u, next);
}

static inline void cell_enter(const struct cell *cell, struct process *self)
{
	struct figure_6 *f = (struct figure_6 *)cell->words;
	uint64_t next, u, go;
	int64_t x;

L2:	x = (int64_t)mem_add(&f->X, (uint64_t)-1);
	if (x != 0)
		return;
	next = free_location(cell, self);
L6:	mem_write(spin_word(cell, next), 0);
L7:	u = mem_read(&f->Q);
L8:	mem_add(announced(cell, u), 1);
	if (take_over(cell, u, next)) {
		mem_own_write(self, cell->own, (uint32_t)next); /* 12 */
L13:		x = (int64_t)mem_read(&f->X);
		if (x < 0)
L14:			await(go, spin_word(cell, next), go != 0);
	}
L15:	mem_add(announced(cell, u), (uint64_t)-1);
}

static inline void cell_leave(const struct cell *cell, struct process *self)
{
	struct figure_6 *f = (struct figure_6 *)cell->words;
	uint64_t u, v;

	(void)self;
L16:	mem_add(&f->X, 1);
L17:	u = mem_read(&f->Q);
L18:	mem_add(announced(cell, u), 1);
L19:	v = mem_read(&f->Q);
	if (v == u) {
L20:		mem_write(spin_word(cell, u), 1);
		mem_wake(spin_word(cell, u));
	}
L21:	mem_add(announced(cell, u), (uint64_t)-1);
}

#endif
