/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The object under room: its state machine, made a shared object by the
 * construction of the component.  Nothing else of the component is used: the
 * names are the members' ids, so no k-assignment hands them out, and one more
 * is for who resizes.
 *
 * The tag of an operation is for who asks what became of it, and nobody here
 * does: to go out twice is to go out once.  So all have the same one.
 */
#ifndef ATMOST_OBJECT_BELOW_H
#define ATMOST_OBJECT_BELOW_H

#include "room_machine.h"

enum { ANY_TAG = 1 };

/* GO of each member stands before the object. */
struct line {
	OWN_LINE struct word word;
};

static inline struct word *GO_of(void *shared, unsigned p)
{
	struct line *first = shared;

	return &first[p].word;
}

static size_t component_at(const struct shape *shape)
{
	return shape->n * WORDS(struct line);
}

static inline const struct construction *below(const struct shape *shape)
{
	return shape->component->object.construction;
}

/* Without its words, for those who ask about sizes. */
static inline struct object object_of(const struct shape *shape)
{
	return (struct object){
		.names = shape->n + 1,
		.state = state_words(shape),
		.arguments = 1,
		.results = 1,
		.f = machine,
		.context = (void *)(uintptr_t)shape,
	};
}

static inline struct object object_in(void *shared, const struct shape *shape,
				      uint64_t *own)
{
	struct object o = object_of(shape);

	o.words = (struct word *)shared + component_at(shape);
	o.own = own;
	return o;
}

/* Own words: our ticket; then those of the construction. */
enum { OWN_TICKET, OWN_OURS };

static inline struct object object_for(void *shared, struct process *self)
{
	return object_in(shared, self->shape, self->own + OWN_OURS);
}

static size_t words(const struct shape *shape)
{
	struct object o = object_of(shape);

	return component_at(shape) + below(shape)->words(&o);
}

/* GO of the members, then the pieces of the object. */
static bool extent_of(const struct shape *shape, unsigned from, unsigned to,
		      unsigned piece, struct extent *extent)
{
	struct object o = object_of(shape);

	if (piece == 0) {
		*extent = (struct extent){ from * WORDS(struct line),
					   (to - from) * WORDS(struct line) };
		return true;
	}
	if (!below(shape)->extent(&o, from, to, piece - 1, extent))
		return false;
	extent->from += component_at(shape);
	return true;
}

static unsigned own_words(const struct shape *shape)
{
	struct object o = object_of(shape);

	return OWN_OURS + below(shape)->own(&o);
}

/* False: the words are damaged.  argument: of a request the session, of a
 * resize k. */
static inline bool operate(const struct object *o, const struct shape *shape,
			   unsigned name, unsigned deed, uint64_t argument,
			   uint64_t *result)
{
	*result = 0;
	return below(shape)->apply(o, name, ANY_TAG,
				   (uint64_t)name << MEMBER_AT | deed,
				   &argument, result);
}

#endif
