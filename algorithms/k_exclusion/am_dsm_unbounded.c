/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-dsm-unbounded: am-induction in which each process waits in its own memory,
 * each time at a new location.
 *
 * Idea      A cell names the location at which a process waits.  The next
 *           process that arrives or leaves writes to that location and so ends
 *           the wait.  No location is used twice, so a late write has no
 *           effect.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 5.
 * Shape     any n, any k >= 1 (k >= n needs no cell)
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     unbounded words: simulated only, with 256 locations per process and
 *           cell, which is enough for the passages of a check; DSM 8(n-k) RMRs;
 *           CC: no bound claimed
 * Invariant X of a cell is its capacity minus the number of processes between
 *           its lines 3 and 10.  Q names the location of the last process whose
 *           compare-and-swap at line 7 succeeded.
 */
#include "am_place.h"

enum { LOCATIONS = 256 };

struct figure_5 {
	OWN_LINE struct word X; /* number of free places, signed: -1..c */
	OWN_LINE struct word Q; /* where a process waits, if X < 0 */
	/* P[LOCATIONS] of each process follow, in its memory module. */
};

enum {
	CELL_OWN_WORDS = 1, /* next.loc of the figure: the last location used */
	CELL_LEAVE_STEPS = 3,
	CELL_REMOTE = 8, /* DSM: lines 2, 5 to 8, and 10 to 12 */
};

static size_t cell_words(const struct cell *cell)
{
	return WORDS(struct figure_5) + cell->count * LOCATIONS;
}

static uint64_t at_location(unsigned process, unsigned location)
{
	return (uint64_t)process << 16 | location;
}

static struct word *spin_word(const struct cell *cell, uint64_t where)
{
	return cell->words + WORDS(struct figure_5) +
	       ((where >> 16) - cell->first) * LOCATIONS + (where & 0xffff);
}

static void cell_init(const struct cell *cell, unsigned number)
{
	struct figure_5 *f = (struct figure_5 *)cell->words;

	mem_poke(&f->X, cell->capacity);
	mem_poke(&f->Q, at_location(cell->first, 0));
	mem_name(&f->X, "X", number);
	mem_name(&f->Q, "Q", number);
	for (unsigned i = 0; i < cell->count * LOCATIONS; i++) {
		unsigned process = cell->first + i / LOCATIONS;
		unsigned location = i % LOCATIONS;
		struct word *P = spin_word(cell, at_location(process,
							     location));

		mem_poke(P, 0); /* could be any value */
		mem_place(P, process);
		mem_name(P, "P", number, process, location);
	}
}

static bool cell_quiet(const struct cell *cell)
{
	struct figure_5 *f = (struct figure_5 *)cell->words;

	return mem_peek(&f->X) == cell->capacity;
}

/* Returns a location at which the process has never waited. */
static uint64_t new_location(const struct cell *cell, struct process *self)
{
	uint64_t last = mem_own_read(self, cell->own);

	mem_own_write(self, cell->own, (last + 1) % LOCATIONS); /* 3 */
	return at_location(self->id, (unsigned)mem_own_read(self, cell->own));
}

static void cell_enter(const struct cell *cell, struct process *self)
{
	struct figure_5 *f = (struct figure_5 *)cell->words;
	uint64_t next, v, go;
	int64_t x;
	bool ok;

L2:	x = (int64_t)mem_add(&f->X, (uint64_t)-1);
	if (x != 0)
		return;
	next = new_location(cell, self);
L4:	mem_write(spin_word(cell, next), 0);
L5:	v = mem_read(&f->Q);
L6:	mem_write(spin_word(cell, v), 1);
	mem_wake(spin_word(cell, v));
L7:	ok = mem_cas(&f->Q, v, next);
	if (!ok)
		return;
L8:	x = (int64_t)mem_read(&f->X);
	if (x < 0)
L9:		await(go, spin_word(cell, next), go != 0);
}

static void cell_leave(const struct cell *cell, struct process *self)
{
	struct figure_5 *f = (struct figure_5 *)cell->words;
	uint64_t v;

	(void)self;
L10:	mem_add(&f->X, 1);
L11:	v = mem_read(&f->Q);
L12:	mem_write(spin_word(cell, v), 1);
	mem_wake(spin_word(cell, v));
}

#include "am_induction.h"

const struct algorithm am_dsm_unbounded = {
	.name = "am-dsm-unbounded",
	.source = "Anderson and Moir 1994, Figure 5",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.simulated_only = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = induction_words, .own_words = induction_own_words,
	.own_persistent = induction_own_words,
	.init = induction_init, .quiet = induction_quiet,
	.enter = induction_enter, .leave = induction_leave,
	.bounds = {
		.leave_steps = induction_leave_steps,
		.rmr_cc = { NULL, "no bound claimed" },
		.rmr_dsm = { induction_remote, "8(n-k)" },
	},
};
