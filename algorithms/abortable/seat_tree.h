/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A registry whose cost adapts to contention.  It contains requests, each with
 * a token.  Its root names the oldest request.  Labels ours.
 *
 *	SPINE[0]			the root
 *	 |     \
 *	SEAT[0] SPINE[1]
 *	         |     \
 *	        SEAT[1]  ...		L = ceil(log2 n) seats
 *	                   \
 *	                    NODE[0]	the balanced tree over LEAF[n]
 *
 * A process puts its request into the first seat that it finds free, or into
 * its own leaf if all seats are taken.  Then it refreshes the nodes from there
 * to the root.
 *
 * Invariant I1: from the end of p's registry_add to p's T7 or T7s the root
 *           names p's request or an older one.  I2: the root does not name p
 *           before p's registry_add or after p's registry_remove.
 *
 * Names: if at most c processes compete at any time, at most c - i of them have
 *           found seats 0..i-1 taken: whenever a process finds a seat taken and
 *           goes on, the process in that seat does not go on.  So a process
 *           finds a free seat among the first c.
 */
#ifndef ATMOST_SEAT_TREE_H
#define ATMOST_SEAT_TREE_H

#include "minimum_tree.h"

/* The own word is the seat of this passage + 1, or 0 for the leaf. */
enum { OWN_SEAT, REGISTRY_OWN_WORDS };

/*
 * The words are SEAT[L], then SPINE[L], then the words of the balanced tree.  A
 * seat is a token and a name: id + 1, or 0 if the seat is free.  Different
 * processes use the same seat, so one read must return both the name and the
 * token of a request.  A word of SPINE has the same format as a NODE.  The leaf
 * of a process has the token of its last request, so that another process that
 * finds the name in a node can read the token in the leaf.  The leaf is live
 * only if the request has no seat.
 */
static inline struct word *SEAT(void *registry, unsigned i)
{
	struct line *l = registry;

	return &l[i].word;
}

static inline struct word *SPINE(void *registry, const struct shape *shape,
				 unsigned i)
{
	return SEAT(registry, levels(shape) + i);
}

static inline void *balanced(void *registry, const struct shape *shape)
{
	return SEAT(registry, 2 * levels(shape));
}

static inline size_t registry_words(const struct shape *shape)
{
	return 2 * levels(shape) * WORDS(struct line) + tree_words(shape);
}

static inline void registry_init(void *registry, const struct shape *shape)
{
	for (unsigned i = 0; i < levels(shape); i++) {
		mem_poke(SEAT(registry, i), 0);
		mem_poke(SPINE(registry, shape, i), 0);
		mem_name(SEAT(registry, i), "SEAT", i);
		mem_name(SPINE(registry, shape, i), "SPINE", i);
	}
	tree_init(balanced(registry, shape), shape);
}

/* Returns the name at the root.  If n is 1, the only leaf is the root. */
static inline uint64_t named_by_root(void *registry, const struct shape *shape)
{
	if (shape->n == 1)
		return mem_peek(LEAF(balanced(registry, shape), 0)) & 1;
	return mem_peek(SPINE(registry, shape, 0)) & NAME;
}

static inline bool registry_quiet(void *registry, const struct shape *shape)
{
	for (unsigned i = 0; i < levels(shape); i++)
		if (mem_peek(SEAT(registry, i)) & NAME)
			return false;
	for (unsigned p = 0; p < shape->n; p++)
		if (mem_peek(LEAF(balanced(registry, shape), p)) & 1)
			return false;
	return named_by_root(registry, shape) == 0;
}

static inline uint64_t token_of(void *registry, const struct shape *shape,
				unsigned p)
{
	return mem_peek(LEAF(balanced(registry, shape), p)) >> 1;
}

/* Whether I1 holds for all processes that wait or are inside, and the root
 * names no process in its remainder. */
static inline bool registry_invariant(void *registry, const struct shape *shape,
				      const struct whereabouts *all)
{
	uint64_t name = named_by_root(registry, shape), oldest = 0;

	if (name && all[name - 1].phase == PHASE_REMAINDER)
		return false;
	if (name)
		oldest = token_of(registry, shape, (unsigned)name - 1);
	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t token = token_of(registry, shape, p);

		if (all[p].phase != PHASE_WAITING &&
		    all[p].phase != PHASE_INSIDE)
			continue;
		if (!name || oldest > token ||
		    (oldest == token && name > p + 1))
			return false;
	}
	return true;
}

static inline struct candidate seated(void *registry, const struct shape *shape,
				      unsigned i)
{
	uint64_t v;

S1:	v = mem_read(SEAT(registry, i));
	return (struct candidate){ name_in(v, shape), v >> NAME_BITS };
}

/* Returns the oldest request below spine node i, without regard to seat i. */
static inline struct candidate below_seat(void *registry,
					  const struct shape *shape, unsigned i)
{
	void *tree = balanced(registry, shape);
	struct candidate c = { 0, 0 };
	uint64_t v, t;

	if (i + 1 == levels(shape))
		return candidate(tree, shape, (struct range){ 0, 0, shape->n });
S2:	v = mem_read(SPINE(registry, shape, i + 1));
	c.name = name_in(v, shape);
	if (!c.name)
		return c;
S3:	t = mem_read(LEAF(tree, (unsigned)c.name - 1));
	c.token = t >> 1;
	return c;
}

static inline bool refresh_spine(void *registry, const struct shape *shape,
				 unsigned i)
{
	struct word *node = SPINE(registry, shape, i);
	struct candidate a, b;
	uint64_t o;
	bool ok;

S0:	o = mem_read(node);
	a = seated(registry, shape, i);
	b = below_seat(registry, shape, i);
	/* Like R6, S4 writes even if the name does not change. */
S4:	ok = mem_cas(node, o, next_version(o, older(a, b)));
	return ok;
}

/* Refresh the spine from node i to the root.  As in propagate, two attempts per
 * node are enough. */
static inline void propagate_from(void *registry, const struct shape *shape,
				  unsigned i)
{
	for (i++; i-- > 0;)
		if (!refresh_spine(registry, shape, i))
			refresh_spine(registry, shape, i);
}

/* The request has no seat: refresh the balanced tree and the whole spine. */
static inline void propagate_leaf(void *registry, const struct process *self)
{
	const struct shape *shape = self->shape;

	propagate(balanced(registry, shape), self);
	if (levels(shape) > 0)
		propagate_from(registry, shape, levels(shape) - 1);
}

static inline void registry_add(void *registry, struct process *self,
				uint64_t token)
{
	struct word *leaf = LEAF(balanced(registry, self->shape), self->id);
	bool taken;

	/* T4t must come before T4s: after T4s nodes can name us, and a process
	 * that finds our name reads our token here, at S3. */
T4t:	mem_write(leaf, tagged(token, false));
	for (unsigned i = 0; i < levels(self->shape); i++) {
T4s:		taken = mem_cas(SEAT(registry, i), 0,
				token << NAME_BITS | (self->id + 1));
		if (taken) {
			mem_own_write(self, OWN_SEAT, i + 1);
			propagate_from(registry, self->shape, i);
			return;
		}
	}
T4:	mem_write(leaf, tagged(token, true));
	propagate_leaf(registry, self);
}

static inline void registry_remove(void *registry, struct process *self,
				   uint64_t token)
{
	uint64_t seat = mem_own_read(self, OWN_SEAT);

	if (seat > levels(self->shape))
		return; /* such a value can only come from damage */
	if (seat) {
T7s:		mem_write(SEAT(registry, (unsigned)seat - 1), 0);
		propagate_from(registry, self->shape, (unsigned)seat - 1);
		return;
	}
T7:	mem_write(LEAF(balanced(registry, self->shape), self->id),
		  tagged(token, false));
	propagate_leaf(registry, self);
}

/* Returns the name that is at the root now. */
static inline uint64_t registry_oldest(void *registry,
				       const struct shape *shape)
{
	uint64_t v;

	if (shape->n == 1) {
P2a:		v = mem_read(LEAF(balanced(registry, shape), 0));
		return v & 1;
	}
P2:	v = mem_read(SPINE(registry, shape, 0));
	return name_in(v, shape);
}

/* The steps are T4t, T4s for each seat, and T4; then 12 for each level of the
 * balanced tree and 10 for each spine node. */
static inline unsigned registry_steps(const struct shape *shape)
{
	return 23 * levels(shape) + 2;
}

#endif
