/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A balanced tree of minima over requests, each with a token: a node names the
 * oldest request below it.  If two requests have the same token, the request
 * with the smaller id is older.  Labels ours.
 *
 * While a request is being removed, nodes may still name it.  Such a request
 * keeps its token and still counts, perhaps as the oldest.  If a process
 * treated a node with such a name as empty, it would miss the other requests
 * below this node.
 */
#ifndef ATMOST_MINIMUM_TREE_H
#define ATMOST_MINIMUM_TREE_H

#include "algorithm.h"

/*
 * The words are LEAF[n], then NODE[n-1].  A leaf is a token, with the lowest
 * bit set if the request is live.  A node is a version and a name: id + 1, or 0
 * if the node is empty.  The version counts the writes to the node, so that a
 * compare-and-swap fails if another process has written the node since it was
 * read.
 */
struct line {
	OWN_LINE struct word word;
};

enum { NAME_BITS = 16, NAME = 0xffff };

/* The numbers of the counters: the tokens, the versions of the owner, and the
 * versions of each node. */
enum { TOKEN, OWNER, VERSION };

static inline size_t tree_words(const struct shape *shape)
{
	return (2 * shape->n - 1) * WORDS(struct line);
}

static inline struct word *LEAF(void *registry, unsigned p)
{
	struct line *l = registry;

	return &l[p].word;
}

static inline struct word *NODE(void *registry, const struct shape *shape,
				unsigned i)
{
	return LEAF(registry, shape->n + i);
}

static inline uint64_t tagged(uint64_t token, bool flag)
{
	return token << 1 | flag;
}

/* Returns the name in a word: id + 1, or 0.  A name that is out of range counts
 * as 0. */
static inline uint64_t name_in(uint64_t word, const struct shape *shape)
{
	uint64_t name = word & NAME;

	return name <= shape->n ? name : 0;
}

static inline uint64_t next_version(uint64_t old, uint64_t name)
{
	return ((old >> NAME_BITS) + 1) << NAME_BITS | name;
}

static inline void tree_init(void *registry, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(LEAF(registry, p), 0);
		mem_name(LEAF(registry, p), "LEAF", p);
	}
	for (unsigned i = 0; i + 1 < shape->n; i++) {
		mem_poke(NODE(registry, shape, i),
			 mem_first(VERSION + i) << NAME_BITS);
		mem_name(NODE(registry, shape, i), "NODE", i);
	}
}

/* A node and the leaves below it, lo..hi-1.  The first half of these leaves,
 * rounded up, is below the left child.  Nodes are numbered in preorder, from
 * the root. */
struct range {
	unsigned node, lo, hi;
};

static inline unsigned middle(struct range r)
{
	return r.lo + (r.hi - r.lo + 1) / 2;
}

static inline struct range left(struct range r)
{
	return (struct range){ r.node + 1, r.lo, middle(r) };
}

static inline struct range right(struct range r)
{
	return (struct range){ r.node + middle(r) - r.lo, middle(r), r.hi };
}

static inline bool is_leaf(struct range r)
{
	return r.hi - r.lo == 1;
}

/* Returns the node on the path to leaf p that is `depth` levels below the
 * root. */
static inline struct range on_path(const struct shape *shape, unsigned p,
				   unsigned depth)
{
	struct range r = { 0, 0, shape->n };

	for (; depth > 0; depth--)
		r = p < middle(r) ? left(r) : right(r);
	return r;
}

static inline unsigned depth_of(const struct shape *shape, unsigned p)
{
	unsigned depth = 0;

	while (!is_leaf(on_path(shape, p, depth)))
		depth++;
	return depth;
}

/* Returns ceil(log2 n), the height of the tree. */
static inline unsigned levels(const struct shape *shape)
{
	return depth_of(shape, 0); /* leaf 0 is never on the shorter side */
}

/* A request: id + 1, or 0 if there is none, and its token. */
struct candidate {
	uint64_t name, token;
};

static inline struct candidate candidate(void *registry,
					 const struct shape *shape,
					 struct range r)
{
	struct candidate c = { 0, 0 };
	uint64_t v, t;

	if (is_leaf(r)) {
R4a:		t = mem_read(LEAF(registry, r.lo));
		if (t & 1)
			c = (struct candidate){ r.lo + 1, t >> 1 };
		return c;
	}
R4:	v = mem_read(NODE(registry, shape, r.node));
	c.name = name_in(v, shape);
	if (!c.name)
		return c;
	/* The token is valid even if the request is being removed: the leaf
	 * keeps the token as long as nodes may name the request. */
R4b:	t = mem_read(LEAF(registry, (unsigned)c.name - 1));
	c.token = t >> 1;
	return c;
}

static inline uint64_t older(struct candidate a, struct candidate b)
{
	if (!a.name || !b.name)
		return a.name | b.name;
	if (a.token != b.token)
		return a.token < b.token ? a.name : b.name;
	return a.name < b.name ? a.name : b.name;
}

static inline uint64_t oldest_below(void *registry, const struct shape *shape,
				    struct range r)
{
	struct candidate a, b;

	a = candidate(registry, shape, left(r));  /* R2 */
	b = candidate(registry, shape, right(r)); /* R3 */
	return older(a, b);                       /* R5 */
}

static inline bool refresh(void *registry, const struct shape *shape,
			   struct range r)
{
	uint64_t o, w;
	bool ok;

R1:	o = mem_read(NODE(registry, shape, r.node));
	w = oldest_below(registry, shape, r);
	/* R6 writes even if the name does not change: the new version makes R6
	 * fail in every process that read the node before our R6.  That R6 must
	 * fail, because its process may have read outdated children. */
R6:	ok = mem_cas(NODE(registry, shape, r.node), o, next_version(o, w));
	return ok;
}

/*
 * Two attempts per node are enough: a process that makes our second attempt
 * fail has read the children after our first attempt began, so it has seen our
 * change below this node.
 */
static inline void propagate(void *registry, const struct process *self)
{
	const struct shape *shape = self->shape;

	for (unsigned d = depth_of(shape, self->id); d-- > 0;) {
		struct range r = on_path(shape, self->id, d);

		if (!refresh(registry, shape, r))
			refresh(registry, shape, r);
	}
}

#endif
