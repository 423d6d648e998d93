/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the tree of minima over the W words of roster: ROOT names the waiter
 * with the oldest token.
 *
 * The entry of a node is an id and the number of that id's registration, modulo
 * 4; the token itself is in W.  An entry that W contradicts is stale.  A stale
 * entry counts as the oldest, so it moves up to ROOT.  A process that meets a
 * stale entry at ROOT refreshes the path of that entry, which removes the
 * entry.  If processes ignored stale entries, these could hide waiters.
 *
 * Invariant I6: from the end of p's doorway until p no longer waits, ROOT is
 * not empty and names p, a waiter with an older token, or a stale entry.
 */
#ifndef ATMOST_ROSTER_TREE_H
#define ATMOST_ROSTER_TREE_H

#include "roster_words.h"

/* `entry` is the entry of a waiter, or 0 if there is no candidate.  `key` is
 * the token with the bit LIVE, or 0 if the entry is stale. */
struct candidate {
	uint64_t entry, key;
};

static const uint64_t LIVE = UINT64_C(1) << STAMP_BITS;

static inline struct candidate leaf(struct roster *m, const struct shape *shape,
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
 * in node h comes from damage and must be ignored.  Otherwise it would count as
 * the oldest for ever, because no refresh of p's path would remove it. */
static inline bool is_below(const struct shape *shape, unsigned p, unsigned h)
{
	unsigned at = first_leaf(shape) + p;

	while (at > h)
		at /= 2;
	return at == h;
}

static inline struct candidate inner(struct roster *m,
				     const struct shape *shape, unsigned h)
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

static inline struct candidate child(struct roster *m,
				     const struct shape *shape, unsigned h)
{
	unsigned M = first_leaf(shape);

	return h < M ? inner(m, shape, h) : leaf(m, shape, h - M);
}

static inline uint64_t oldest(struct candidate a, struct candidate b)
{
	if (!a.entry || !b.entry)
		return a.entry | b.entry;
	if (!a.key || !b.key)
		return a.key ? b.entry : a.entry;
	return older(a.key, b.key) ? a.entry : b.entry;
}

static inline bool refresh(struct roster *m, const struct shape *shape,
			   unsigned h)
{
	struct candidate a, b;
	uint64_t old;
	bool ok;

PR1:	old = mem_read(node_at(m, shape, h));
	a = child(m, shape, 2 * h);
	b = child(m, shape, 2 * h + 1);
	/* PR3 writes even if the entry does not change: the new version makes
	 * PR3 fail in every process that read the node before our PR3.  That
	 * PR3 must fail, because its process may have read outdated
	 * children. */
PR3:	ok = mem_cas(node_at(m, shape, h), old,
		     next_version(old, oldest(a, b)));
	return ok;
}

/*
 * Refresh the path of q from the leaf to ROOT.  Two attempts per node are
 * enough: a process that makes the second attempt fail has read the children
 * after the first attempt began, so it has seen the change below this node.
 */
static inline void propagate(struct roster *m, const struct shape *shape,
			     unsigned q)
{
	for (unsigned h = (first_leaf(shape) + q) / 2; h > 0; h /= 2)
		if (!refresh(m, shape, h))
			refresh(m, shape, h);
}

static inline unsigned levels(const struct shape *shape)
{
	unsigned d = 0;

	for (unsigned M = first_leaf(shape); M > 1; M /= 2)
		d++;
	return d;
}

/* There are two attempts per level.  An attempt takes 1+2+1 steps on the lowest
 * level and 1+4+1 steps on every other level. */
static inline unsigned propagate_steps(const struct shape *shape)
{
	return 12 * levels(shape) - 4;
}

#endif
