/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Describes the words of hall: the meaning of their bits, and where each word
 * is.  The numbers in this table are bit positions; bit 0 is the least
 * significant.
 *
 *	S       mode 0-1, record 2, id 3-14, epoch 15-63.  Every change of S adds
 *	        1 to the epoch, so no value of S comes twice
 *	W       kind 0-1, seq 2-3, record 4, stamp 14-62.  WAIT and IN: the stamp
 *	        is the token; FAST: it is the badge of the member
 *	node    seq 1-2, id + 1 3-15 (0: the node is empty), version 16-63
 *	TOKEN   its low 49 bits are the next token
 *	FS      the session for which the member last tried the short way
 *	ASK     two records: each is a session for which the member signed up
 *	HIGH    only members with ids below HIGH have ever entered
 *
 * Record and id of S are a reference: they name the record that has the session
 * of the hall.
 *
 * A process does not trust the values that it reads: before it uses an id, it
 * compares the id with n.
 */
#ifndef ATMOST_HALL_WORDS_H
#define ATMOST_HALL_WORDS_H

#include "algorithm.h"

enum { MOST_N = 4096 };

/* The modes of S. */
enum { OPEN = 0, DRAIN = 1, ADMIT = 2, MODE = 3 };
/* The kinds of W. */
enum { IDLE = 0, WAIT = 1, IN = 2, FAST = 3, KIND = 3 };

enum { RECORD_AT = 2, MEMBER_AT = 3, EPOCH_AT = 15 };
enum { REF = (1 << EPOCH_AT) - (1 << RECORD_AT) };
enum { SEQ_AT = 2, W_RECORD_AT = 4, STAMP_AT = 14, STAMP_BITS = 49 };
enum { SEQ = 3 << SEQ_AT, W_RECORD = 1 << W_RECORD_AT };
enum { ENTRY = 0xffff, NAME_AT = 3, ENTRY_SEQ_AT = 1 };

static const uint64_t STAMP = ((UINT64_C(1) << STAMP_BITS) - 1) << STAMP_AT;

/* The nodes of the tree have ARITY children. */
enum { ARITY = 4 };

/* HIGH is at least this number, so that the first members need not raise it. */
enum { FIRST_HIGH = 4 };

/* The nodes except ROOT follow, in groups of siblings; then the members. */
struct hall {
	OWN_LINE struct word S;
	struct word ROOT;
	OWN_LINE struct word TOKEN;
	struct word HIGH;
};

struct siblings {
	OWN_LINE struct word node[ARITY];
};

struct member {
	OWN_LINE struct word W;
	struct word FS;
	OWN_LINE struct word ASK[2];
};

/*
 * The tree.  A node has a position: 1 is ROOT, the children of h are ARITY*h,
 * ARITY*h+1, ..., and the leaves are the W words, at the positions M, M+1, ...
 */

/* Returns M. */
static inline unsigned first_leaf(const struct shape *shape)
{
	unsigned M = ARITY;

	while (M < shape->n)
		M *= ARITY;
	return M;
}

/* Returns the number of groups of siblings below a node, without the leaves.
 * `leaves` is the number of leaves below the node. */
static inline unsigned groups_below(unsigned leaves)
{
	return (leaves / ARITY - 1) / (ARITY - 1);
}

/*
 * Returns the number of the group that the children of node h form.  Groups are
 * in preorder, so the paths of the members with the lowest ids come first, and a
 * pool with few members touches few pages.
 */
static inline unsigned group_of(const struct shape *shape, unsigned h)
{
	unsigned leaves = first_leaf(shape), depth = 1, group = 0;

	while (depth * ARITY <= h)
		depth *= ARITY;
	/* From ROOT down to h: depth is the number of positions that a step to
	 * the right skips. */
	for (unsigned at = h - depth; depth > 1; at %= depth) {
		depth /= ARITY;
		leaves /= ARITY;
		group += 1 + at / depth * groups_below(leaves);
	}
	return group;
}

static inline unsigned group_count(const struct shape *shape)
{
	return groups_below(first_leaf(shape));
}

/* Returns the words of group `group`. */
static inline struct word *group_at(struct hall *m, unsigned group)
{
	struct siblings *first = (struct siblings *)(m + 1);

	return first[group].node;
}

static inline struct word *node_at(struct hall *m, const struct shape *shape,
				   unsigned h)
{
	return h == 1 ? &m->ROOT
		      : &group_at(m, group_of(shape, h / ARITY))[h % ARITY];
}

static inline struct member *member_at(struct hall *m,
				       const struct shape *shape, unsigned p)
{
	struct siblings *nodes = (struct siblings *)(m + 1);
	struct member *first = (struct member *)(nodes + group_count(shape));

	return &first[p];
}

static inline struct word *W_at(struct hall *m, const struct shape *shape,
				unsigned p)
{
	return &member_at(m, shape, p)->W;
}

static inline size_t words_of(const struct shape *shape)
{
	return WORDS(struct hall) + group_count(shape) * WORDS(struct siblings) +
	       shape->n * WORDS(struct member);
}

/* Returns the value of HIGH that lets member p enter. */
static inline unsigned high_for(const struct shape *shape, unsigned p)
{
	unsigned high = FIRST_HIGH;

	while (high <= p)
		high *= 2;
	return high < shape->n ? high : shape->n;
}

/* There are three pieces: the words before the nodes; the paths of the members;
 * the members below HIGH. */
static inline bool extent_of(const struct shape *shape, unsigned from,
			     unsigned to, unsigned piece, struct extent *extent)
{
	const size_t nodes = WORDS(struct hall);
	const size_t members = nodes +
			       group_count(shape) * WORDS(struct siblings);
	unsigned lowest, first, last;

	if (to > shape->n)
		to = shape->n;
	if (piece > 2 || (piece > 0 && from >= to))
		return false;
	*extent = (struct extent){ 0, nodes };
	if (piece == 1) {
		lowest = (first_leaf(shape) + to - 1) / (ARITY * ARITY);
		*extent = (struct extent){
			nodes,
			lowest ? (group_of(shape, lowest) + 1) *
				 WORDS(struct siblings) : 0
		};
	}
	if (piece == 2) {
		first = from ? high_for(shape, from - 1) : 0;
		last = high_for(shape, to - 1);
		*extent = (struct extent){
			members + first * WORDS(struct member),
			(last - first) * WORDS(struct member)
		};
	}
	return true;
}

/* The word S. */

static inline unsigned mode_of(uint64_t s)
{
	return (unsigned)(s & MODE);
}

static inline uint64_t ref_to(unsigned p, unsigned record)
{
	return (uint64_t)p << MEMBER_AT | record << RECORD_AT;
}

static inline bool refers_to(uint64_t s, unsigned p, unsigned record)
{
	return (s & REF) == ref_to(p, record);
}

static inline unsigned record_of(uint64_t s)
{
	return (unsigned)(s >> RECORD_AT) & 1;
}

/* Returns the id in S.  If the id is out of range, S is damaged, and any id will
 * do. */
static inline unsigned member_of(const struct shape *shape, uint64_t s)
{
	unsigned p = (unsigned)(s >> MEMBER_AT) & (MOST_N - 1);

	return p < shape->n ? p : 0;
}

/* Returns the value of S that follows s. */
static inline uint64_t following(uint64_t s, unsigned mode, uint64_t ref)
{
	return ((s >> EPOCH_AT) + 1) << EPOCH_AT | (ref & REF) | mode;
}

/* The words W. */

static inline unsigned kind_of(uint64_t w)
{
	return (unsigned)(w & KIND);
}

static inline unsigned w_record(uint64_t w)
{
	return (unsigned)(w >> W_RECORD_AT) & 1;
}

static inline uint64_t token_of(uint64_t w)
{
	return (w & STAMP) >> STAMP_AT;
}

static inline uint64_t fast_word(uint64_t seq, uint64_t badge)
{
	return (badge << STAMP_AT & STAMP) | (seq << SEQ_AT & SEQ) | FAST;
}

static inline uint64_t wait_word(uint64_t seq, unsigned record, uint64_t token)
{
	return (token << STAMP_AT & STAMP) | (uint64_t)record << W_RECORD_AT |
	       (seq << SEQ_AT & SEQ) | WAIT;
}

/* Returns the W word of a process after it was let in.  w is its W word before
 * that, which is WAIT. */
static inline uint64_t let_in(uint64_t w)
{
	return w ^ WAIT ^ IN;
}

static inline uint64_t idle_word(uint64_t w)
{
	return w & SEQ;
}

/* Returns whether `token` is older than `other`.  The result is right unless a
 * process waits while 2^48 other registrations are made. */
static inline bool older(uint64_t token, uint64_t other)
{
	return (token - other) >> (STAMP_BITS - 1) & 1;
}

/* The entries of nodes. */

static inline bool is_empty(uint64_t node)
{
	return (node & ENTRY) == 0;
}

/* Returns the id in the entry, or n or more if the node is empty or damaged. */
static inline unsigned named(uint64_t node)
{
	return (unsigned)((node & ENTRY) >> NAME_AT) - 1;
}

static inline uint64_t entry_of(unsigned p, uint64_t w)
{
	return (uint64_t)(p + 1) << NAME_AT |
	       (w & SEQ) >> SEQ_AT << ENTRY_SEQ_AT;
}

/* Returns whether process p waits and its registration is the one that the
 * entry of this node names.  w is the W word of p. */
static inline bool is_fresh(uint64_t node, unsigned p, uint64_t w)
{
	return kind_of(w) == WAIT && (node & ENTRY) == entry_of(p, w);
}

static inline uint64_t next_version(uint64_t old, uint64_t entry)
{
	return ((old >> 16) + 1) << 16 | entry;
}

#endif
