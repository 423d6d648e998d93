/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lets an object, the owner, use a k-assignment as its component.  The slots of
 * the k-assignment are the names of the object.  The words of the k-assignment
 * follow the owner's words.  The own words of the k-assignment, the persistent
 * ones first, follow the first `own` own words of the owner.  Because its own
 * words start at another place, the k-assignment gets a struct process of its
 * own.
 */
#ifndef ATMOST_NAMES_BELOW_H
#define ATMOST_NAMES_BELOW_H

#include "algorithm.h"

static inline struct shape below_shape(const struct shape *shape)
{
	return (struct shape){
		.n = shape->n,
		.k = shape->k,
		.component = shape->component->composition.component,
	};
}

static inline size_t below_words(const struct shape *shape)
{
	struct shape x = below_shape(shape);

	return shape->component->words(&x);
}

static inline unsigned below_own_words(const struct shape *shape)
{
	struct shape x = below_shape(shape);

	return shape->component->own_words ? shape->component->own_words(&x)
					   : 0;
}

static inline unsigned below_persistent(const struct shape *shape)
{
	struct shape x = below_shape(shape);

	return shape->component->own_persistent
		       ? shape->component->own_persistent(&x)
		       : 0;
}

struct below {
	const struct algorithm *names;
	struct shape shape;
	struct process process;
};

static inline void below_begin(struct below *b, const struct process *self,
			       unsigned own)
{
	b->names = self->shape->component;
	b->shape = below_shape(self->shape);
	b->process = *self;
	b->process.shape = &b->shape;
	b->process.own = self->own + own;
}

/* Copy to self the fields that the component has set in its process. */
static inline void below_end(const struct below *b, struct process *self)
{
	self->slot = b->process.slot;
	self->evicted = b->process.evicted;
	/* The owner does not use these three fields, so the component's private
	 * values are kept there. */
	self->hint = b->process.hint;
	self->seat = b->process.seat;
	self->keep = b->process.keep;
}

#endif
