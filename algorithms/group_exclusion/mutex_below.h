/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reduction builds group exclusion over an abortable mutex A, its component.
 * A can be any abortable mutex for the same processes.  The words of A follow
 * the words of the reduction.
 *
 * The order of own words: the persistent own words of the reduction, then all
 * own words of A, then the other own words of the reduction.  So the own words
 * of A are in one piece, and the persistent ones come first.
 */
#ifndef ATMOST_MUTEX_BELOW_H
#define ATMOST_MUTEX_BELOW_H

#include "algorithm.h"

/* Returns the shape of the instance as A sees it. */
static inline struct shape below_shape(const struct shape *shape)
{
	return (struct shape){
		.n = shape->n,
		.k = 1,
		.component = shape->component->composition.component,
	};
}

static inline size_t below_words(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->words(&a);
}

static inline unsigned below_own_words(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->own_words ? shape->component->own_words(&a)
					   : 0;
}

static inline unsigned below_persistent(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->own_persistent
		       ? shape->component->own_persistent(&a)
		       : 0;
}

static inline void below_init(struct word *words, const struct shape *shape)
{
	struct shape a = below_shape(shape);

	shape->component->init(words, &a);
}

static inline bool below_quiet(struct word *words, const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->quiet(words, &a);
}

/* The place of A in memory, and the shape and the process as A sees them. */
struct below {
	const struct algorithm *mutex;
	struct word *words;
	struct shape shape;
	struct process process;
};

/* `own` is the number of own words of the reduction that precede those of A. */
static inline void below_begin(struct below *b, struct word *words,
			       struct process *self, unsigned own)
{
	b->mutex = self->shape->component;
	b->words = words;
	b->shape = below_shape(self->shape);
	b->process = *self;
	b->process.shape = &b->shape;
	b->process.own = self->own + own;
}

static inline bool below_doorway(struct word *words, struct process *self,
				 unsigned own)
{
	struct below b;

	below_begin(&b, words, self, own);
	return b.mutex->doorway(b.words, &b.process);
}

static inline bool below_poll(struct word *words, struct process *self,
			      unsigned own, struct wait_set *wait)
{
	struct below b;

	below_begin(&b, words, self, own);
	return b.mutex->poll(b.words, &b.process, wait);
}

/* `held` says whether the caller holds A, that is, whether doorway or poll of A
 * has returned true.  If so, the caller leaves A; otherwise it aborts. */
static inline void below_end(struct word *words, struct process *self,
			     unsigned own, bool held)
{
	struct below b;

	below_begin(&b, words, self, own);
	if (held)
		b.mutex->leave(b.words, &b.process);
	else
		b.mutex->abort(b.words, &b.process);
}

/*
 * Write the rules of counter `number` of A.  The counters of A have the numbers
 * below MOST_BELOW, and the reduction's own counters have the numbers from
 * MOST_BELOW on.  Returns false if A has no such counter.
 */
enum { MOST_BELOW = 32 };

static inline bool below_counter(const struct shape *shape, unsigned number,
				 struct counter *rule)
{
	struct shape a = below_shape(shape);

	return number < MOST_BELOW && shape->component->counter &&
	       shape->component->counter(&a, number, rule);
}

/* The next functions say which algorithms can be A, and compute the bounds and
 * fields that depend on A. */

static inline bool below_fits(const struct algorithm *component)
{
	return component->kind == KIND_ABORTABLE && component->abort;
}

static inline unsigned below_doorway_steps(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	/* The function doorway of A may make more steps after it has called
	 * doorway_ends; solo_steps covers these. */
	return shape->component->bounds.doorway_steps(&a) +
	       shape->component->bounds.solo_steps(&a);
}

static inline unsigned below_end_steps(const struct shape *shape)
{
	struct shape a = below_shape(shape);
	unsigned leave = shape->component->bounds.leave_steps(&a);
	unsigned abort = shape->component->bounds.abort_steps(&a);

	return leave > abort ? leave : abort;
}

static inline unsigned below_solo_steps(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->bounds.solo_steps(&a);
}

/* The next three functions are called only if A has the bound: see
 * below_compose. */
static inline uint64_t below_rmr_cc(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->bounds.rmr_cc.most(&a, a.n);
}

static inline uint64_t below_rmr_cc_smart(const struct shape *shape)
{
	const struct rmr_bound *smart = &shape->component->bounds.rmr_cc_smart;
	struct shape a = below_shape(shape);

	return smart->most ? smart->most(&a, a.n) : below_rmr_cc(shape);
}

static inline uint64_t below_rmr_dsm(const struct shape *shape)
{
	struct shape a = below_shape(shape);

	return shape->component->bounds.rmr_dsm.most(&a, a.n);
}

static inline void below_compose(struct algorithm *whole)
{
	const struct algorithm *a = whole->composition.component;

	whole->primitives |= a->primitives;
	whole->simulated_only = a->simulated_only;
	if (whole->finite_state && !a->finite_state && a->counter)
		whole->counter = below_counter;
	if (!a->finite_state && !a->counter)
		whole->counter = NULL;
	whole->finite_state = whole->finite_state && a->finite_state;
	whole->limits.least_n = a->limits.least_n;
	whole->limits.most_n = a->limits.most_n;
	if (!a->bounds.rmr_cc.most) {
		whole->bounds.rmr_cc.most = NULL;
		whole->bounds.rmr_cc_smart.most = NULL;
		whole->bounds.rmr_cc_keeps.most = NULL;
	}
	if (!a->bounds.rmr_dsm.most)
		whole->bounds.rmr_dsm.most = NULL;
	if (!a->quiet) {
		whole->quiet = NULL;
		whole->promises &= ~(unsigned)QUIESCENCE;
	}
}

#endif
