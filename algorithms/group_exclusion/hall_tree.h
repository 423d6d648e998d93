/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the tree of minima over the W words of hall: ROOT names the waiter
 * with the oldest token.  It is the tree of roster (roster_tree.h) with ARITY
 * children for each node.
 *
 * The entry of a node is an id and the number of that id's registration, modulo
 * 4; the token itself is in W.  An entry that W contradicts is stale.  A stale
 * entry counts as the oldest, so it moves up to ROOT, where a process removes
 * it: the process refreshes the path of that entry.
 *
 * Invariant I6: from the end of p's doorway until p no longer waits, ROOT is
 * not empty and names p, a waiter with an older token, or a stale entry.
 */
#ifndef ATMOST_HALL_TREE_H
#define ATMOST_HALL_TREE_H

#include "hall_words.h"

/* `entry` is the entry of a waiter, or 0 if there is no candidate.  `key` is
 * the token with the bit LIVE, or 0 if the entry is stale. */
struct candidate {
	uint64_t entry, key;
};

static const uint64_t LIVE = UINT64_C(1) << STAMP_BITS;

static inline struct candidate leaf(struct hall *m, const struct shape *shape,
				    unsigned p)
{
	struct candidate c = { 0, 0 };
	uint64_t w;

	if (p >= shape->n)
		return c;
PR2:	w = mem_read(W_at(m, shape, p));
	if (kind_of(w) == WAIT)
		c = (struct candidate){ entry_of(p, w), token_of(w) | LIVE };
	return c;
}

/* Returns whether the leaf of p is below node h.  If it is not, an entry of p
 * in node h comes from damage and must be ignored: no refresh of p's path would
 * remove it. */
static inline bool is_below(const struct shape *shape, unsigned p, unsigned h)
{
	unsigned at = first_leaf(shape) + p;

	while (at > h)
		at /= ARITY;
	return at == h;
}

static inline struct candidate inner(struct hall *m, const struct shape *shape,
				     unsigned h)
{
	struct candidate c = { 0, 0 };
	uint64_t e, w;

PR2n:	e = mem_read(node_at(m, shape, h));
	if (named(e) >= shape->n || !is_below(shape, named(e), h))
		return c;
	c.entry = e & ENTRY;
PR2W:	w = mem_read(W_at(m, shape, named(c.entry)));
	if (is_fresh(c.entry, named(c.entry), w))
		c.key = token_of(w) | LIVE;
	return c;
}

static inline struct candidate oldest(struct candidate a, struct candidate b)
{
	if (!a.entry || !b.entry)
		return a.entry ? a : b;
	if (!a.key || !b.key)
		return a.key ? b : a;
	return older(a.key, b.key) ? a : b;
}

static inline bool refresh(struct hall *m, const struct shape *shape,
			   unsigned h)
{
	const unsigned M = first_leaf(shape);
	struct candidate best = { 0, 0 }, c;
	uint64_t old;
	bool ok;

PR1:	old = mem_read(node_at(m, shape, h));
	for (unsigned i = ARITY * h; i < ARITY * (h + 1); i++) {
		c = i < M ? inner(m, shape, i) : leaf(m, shape, i - M);
		best = oldest(best, c);
	}
	/* PR3 writes even if the entry does not change: the new version makes
	 * PR3 fail in every process that read the node before our PR3.  It must
	 * fail there, because such a process may have read outdated
	 * children. */
PR3:	ok = mem_cas(node_at(m, shape, h), old, next_version(old, best.entry));
	return ok;
}

/*
 * Refresh the path of q from the leaf to ROOT.  Two attempts per node are
 * enough: a process that makes the second attempt fail has read the children
 * after the first attempt began, so it has seen the change below this node.
 */
static void propagate(struct hall *m, const struct process *self,
			     unsigned q)
{
	const struct shape *shape = self->shape;

	for (unsigned h = (first_leaf(shape) + q) / ARITY; h > 0; h /= ARITY)
		if (!refresh(m, shape, h))
			refresh(m, shape, h);
}

/* There are two attempts per level.  An attempt takes 2+ARITY steps on the
 * lowest level and 2+2*ARITY steps on every other level. */
static unsigned propagate_steps(const struct shape *shape)
{
	unsigned levels = 0;

	for (unsigned M = first_leaf(shape); M > 1; M /= ARITY)
		levels++;
	return 2 * (2 + 2 * ARITY) * levels - 2 * ARITY;
}

#endif
