/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reduction builds group exclusion over a mutex A.  This is the common part
 * of the reductions in Danek's thesis: a word in which each process announces
 * its session or status, a barricade for each pair of processes, and the set of
 * conflicts of a waiter.  The words of the mutex A follow.
 *
 * Process p raises barricade[p][j] and may wait on it; process j drops it.
 * While p waits, no process raises this barricade again.  So p need not look at
 * all barricades at once; it waits on the barricade of its first conflict.
 */
#ifndef ATMOST_REDUCTION_H
#define ATMOST_REDUCTION_H

#include "mutex_below.h"

/* The words: first told[n], the session or status of each process; then
 * capture[n], if there are captures; then barricade[n][n]. */
struct line {
	OWN_LINE struct word word;
};

/* The own words that do not persist start at `temporary`: first a word that
 * says whether the process holds the mutex, then one bit for each process that
 * may be a conflict. */
enum { OWN_QUALIFIED, OWN_CONFLICTS };

static inline unsigned temporary(const struct shape *shape)
{
	return OWN_LASTING + below_own_words(shape);
}

static inline unsigned reduction_own_words(const struct shape *shape)
{
	return temporary(shape) + OWN_CONFLICTS + (shape->n + 63) / 64;
}

static inline unsigned reduction_persistent(const struct shape *shape)
{
	return OWN_LASTING + below_persistent(shape);
}

static inline struct word *told(void *shared, unsigned p)
{
	struct line *line = shared;

	return &line[p].word;
}

static inline struct word *capture_of(void *shared, const struct shape *shape,
				      unsigned p)
{
	struct line *line = shared;

	return &line[shape->n + p].word;
}

static inline struct word *barricade(void *shared, const struct shape *shape,
				     unsigned p, unsigned j)
{
	struct line *line = shared;

	return &line[(CAPTURES ? 2 : 1) * shape->n + p * shape->n + j].word;
}

static inline size_t component_at(const struct shape *shape)
{
	return WORDS(struct line) *
	       (shape->n * shape->n + (CAPTURES ? 2 : 1) * shape->n);
}

static inline struct word *below(void *shared, const struct shape *shape)
{
	return (struct word *)shared + component_at(shape);
}

static inline size_t reduction_words(const struct shape *shape)
{
	return component_at(shape) + below_words(shape);
}

/* A quiet reduction is in its initial state, except that barricades and
 * captures may have any value. */
static inline void reduction_init(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(told(shared, p), 0);
		mem_place(told(shared, p), p);
		mem_name(told(shared, p), TOLD, p);
		if (CAPTURES) {
			mem_poke(capture_of(shared, shape, p), 0);
			mem_place(capture_of(shared, shape, p), p);
			mem_name(capture_of(shared, shape, p), "capture", p);
		}
		for (unsigned j = 0; j < shape->n; j++) {
			struct word *b = barricade(shared, shape, p, j);

			mem_poke(b, 0);
			mem_place(b, p);
			mem_name(b, "barricade", p, j);
		}
	}
	below_init(below(shared, shape), shape);
}

static inline bool reduction_quiet(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++)
		if (mem_peek(told(shared, p)) != 0)
			return false;
	return below_quiet(below(shared, shape), shape);
}

/* The mutex, in the notation of the figures. */

static inline void A_doorway(void *shared, struct process *self)
{
	bool yes = below_doorway(below(shared, self->shape), self, OWN_LASTING);

	mem_own_write(self, temporary(self->shape) + OWN_QUALIFIED, yes);
}

static inline bool is_mutex_qualified(struct process *self)
{
	return mem_own_read(self, temporary(self->shape) + OWN_QUALIFIED);
}

/* Tries to get the mutex.  Returns true if the process holds it. */
static inline bool A_poll(void *shared, struct process *self,
			  struct wait_set *wait)
{
	bool yes = is_mutex_qualified(self) ||
		   below_poll(below(shared, self->shape), self, OWN_LASTING,
			      wait);

	mem_own_write(self, temporary(self->shape) + OWN_QUALIFIED, yes);
	return yes;
}

static inline void A_exit_or_abort(void *shared, struct process *self)
{
	bool held = is_mutex_qualified(self);

	mem_own_write(self, temporary(self->shape) + OWN_QUALIFIED, false);
	below_end(below(shared, self->shape), self, OWN_LASTING, held);
}

/* The set of conflicts. */

static inline void add_conflict(struct process *self, unsigned j)
{
	unsigned at = temporary(self->shape) + OWN_CONFLICTS + j / 64;

	mem_own_write(self, at,
		      mem_own_read(self, at) | UINT64_C(1) << j % 64);
}

static inline void drop_conflict(struct process *self, unsigned j)
{
	unsigned at = temporary(self->shape) + OWN_CONFLICTS + j / 64;

	mem_own_write(self, at,
		      mem_own_read(self, at) & ~(UINT64_C(1) << j % 64));
}

/* Returns the smallest conflict, or n if there is no conflict. */
static inline unsigned first_conflict(struct process *self)
{
	unsigned at = temporary(self->shape) + OWN_CONFLICTS;

	for (unsigned i = 0; i < self->shape->n; i += 64) {
		uint64_t bits = mem_own_read(self, at + i / 64);

		if (bits)
			return i + (unsigned)__builtin_ctzll(bits);
	}
	return self->shape->n;
}

static inline bool is_conflict_free(struct process *self)
{
	return first_conflict(self) == self->shape->n;
}

/* Clears the conflicts of a process that no longer waits.  If these bits
 * stayed, the checker would have more states to tell apart. */
static inline void forget_conflicts(struct process *self)
{
	for (unsigned i = 0; i < (self->shape->n + 63) / 64; i++)
		mem_own_write(self, temporary(self->shape) + OWN_CONFLICTS + i,
			      0);
}

static inline bool qualifies(struct process *self)
{
	forget_conflicts(self);
	return true;
}

/* This is the loop of Figures 4.5 and 5.3.  Returns true if no conflict is
 * left. */
static inline bool barricades_are_down(void *shared, struct process *self,
				       struct wait_set *wait)
{
	const struct shape *shape = self->shape;
	uint64_t b;
	unsigned j;

	for (; (j = first_conflict(self)) < shape->n; drop_conflict(self, j)) {
F4_5_2:		b = mem_read(barricade(shared, shape, self->id, j));
		if (b) {
			wait_for_change(wait, barricade(shared, shape,
							self->id, j), b);
			return false;
		}
	}
	return true;
}

/* Leaving takes one write to told[p], one write to a barricade of each other
 * process, and the steps of A. */
static inline unsigned reduction_leave_steps(const struct shape *shape)
{
	return below_end_steps(shape) + shape->n;
}

/* Fields that the tables of all reductions have in common. */
#define REDUCTION                                            \
	.words = reduction_words,                            \
	.own_persistent = reduction_persistent,              \
	.init = reduction_init, .quiet = reduction_quiet,    \
	.doorway = doorway, .poll = poll, .leave = leave

#define REDUCTION_BOUNDS                                     \
	.doorway_steps = doorway_steps,                      \
	.leave_steps = reduction_leave_steps,                \
	.solo_steps = solo_steps

#define REDUCTION_COMPOSITION                                \
	.default_component = "bakery-mutex",                 \
	.fits = below_fits, .compose = below_compose,        \
	.at = component_at

#endif
