/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A registry of requests, each with a token: a balanced tree of minima whose
 * root names the oldest request.  Labels ours.
 *
 * Invariant I1: from the end of p's registry_add to p's T7 the root names p's
 *           request or an older one.  I2: the root does not name p before p's
 *           T4 or after p's registry_remove.
 */
#ifndef ATMOST_REGISTRY_TREE_H
#define ATMOST_REGISTRY_TREE_H

#include "minimum_tree.h"

enum { REGISTRY_OWN_WORDS = 0 };

static inline size_t registry_words(const struct shape *shape)
{
	return tree_words(shape);
}

static inline void registry_init(void *registry, const struct shape *shape)
{
	tree_init(registry, shape);
}

/* Returns the name at the root.  If n is 1, the only leaf is the root. */
static inline uint64_t named_by_root(void *registry, const struct shape *shape)
{
	if (shape->n == 1)
		return mem_peek(LEAF(registry, 0)) & 1;
	return mem_peek(NODE(registry, shape, 0)) & NAME;
}

static inline bool registry_quiet(void *registry, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++)
		if (mem_peek(LEAF(registry, p)) & 1)
			return false;
	return named_by_root(registry, shape) == 0;
}

/* Whether I1 holds for all processes that wait or are inside, and I2 holds. */
static inline bool registry_invariant(void *registry, const struct shape *shape,
				      const struct whereabouts *all)
{
	uint64_t name = named_by_root(registry, shape), oldest = 0;

	if (name) {
		unsigned first = (unsigned)name - 1;
		uint64_t leaf = mem_peek(LEAF(registry, first));

		if (all[first].phase == PHASE_REMAINDER ||
		    (all[first].phase == PHASE_DOORWAY && !(leaf & 1)))
			return false;
		oldest = leaf >> 1;
	}
	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t token = mem_peek(LEAF(registry, p)) >> 1;

		if (all[p].phase != PHASE_WAITING &&
		    all[p].phase != PHASE_INSIDE)
			continue;
		if (!name || oldest > token ||
		    (oldest == token && name > p + 1))
			return false;
	}
	return true;
}

static inline void registry_add(void *registry, const struct process *self,
				uint64_t token)
{
T4:	mem_write(LEAF(registry, self->id), tagged(token, true));
	propagate(registry, self); /* T5 */
}

static inline void registry_remove(void *registry, const struct process *self,
				   uint64_t token)
{
T7:	mem_write(LEAF(registry, self->id), tagged(token, false));
	propagate(registry, self); /* T8 */
}

/* Returns the name that is at the root now. */
static inline uint64_t registry_oldest(void *registry,
				       const struct shape *shape)
{
	uint64_t v;

	if (shape->n == 1) {
P2a:		v = mem_read(LEAF(registry, 0));
		return v & 1;
	}
P2:	v = mem_read(NODE(registry, shape, 0));
	return name_in(v, shape);
}

static inline unsigned registry_steps(const struct shape *shape)
{
	return 12 * levels(shape) + 1;
}

#endif
