/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Describes the words of roster: the meaning of their bits, and where each word
 * is.  The numbers in this table are bit positions; bit 0 is the least
 * significant.  The fuzz tests use this header, too.
 *
 *	slot    kind 0-1, id 2-13, stamp 14-62, closing mark 63.  FREE is 0.
 *	        FAST: the stamp is the badge of the holder;
 *	        RES: the stamp is the token of the waiter that gets the slot
 *	W       kind 0-1, seq 2-3, slot 4-13 (GRANT), token 14-62
 *	node    seq 1-2, id + 1 3-15 (0: the node is empty), version 16-63
 *	TOKEN   its low 49 bits are the next token
 *
 * A reservation RES(q,t) in slot i is taken if W[q] is GRANT(i,t), and pending
 * if W[q] is WAIT(t).  Otherwise it is void.  A void reservation stays void,
 * because no token is used twice.
 *
 * A process does not trust the values that it reads: before it uses an id or a
 * slot, it compares the id with n, and the slot with the number of slots.
 */
#ifndef ATMOST_ROSTER_WORDS_H
#define ATMOST_ROSTER_WORDS_H

#include "algorithm.h"

enum { MOST_N = 4096, MOST_K = 1024 };

enum { KIND = 3 };
enum { FREE = 0, FAST = 1, RES = 2, CLOSED = 3 };
enum { IDLE = 0, WAIT = 1, GRANT = 2 };

enum { ID_AT = 2, SEQ_AT = 2, SLOT_AT = 4, STAMP_AT = 14, STAMP_BITS = 49 };
enum { SEQ = 3 << SEQ_AT, ENTRY = 0xffff, NAME_AT = 3, ENTRY_SEQ_AT = 1 };

static const uint64_t MARK = UINT64_C(1) << 63;
static const uint64_t STAMP = ((UINT64_C(1) << STAMP_BITS) - 1) << STAMP_AT;

/* The words slot[slots] follow, then all nodes except ROOT in pairs, then
 * W[n]. */
struct roster {
	OWN_LINE struct word ROOT;
	OWN_LINE struct word TOKEN;
	struct word LIMIT; /* how many slots are neither closed nor marked */
};

struct line {
	OWN_LINE struct word word;
};

struct siblings {
	OWN_LINE struct word node[2];
};

/* Returns M.  The leaves of the tree are the W words, at the heap positions M,
 * M+1, ... */
static inline unsigned first_leaf(const struct shape *shape)
{
	unsigned M = 2;

	while (M < shape->n)
		M *= 2;
	return M;
}

static inline struct word *slot_at(struct roster *m, unsigned i)
{
	struct line *first = (struct line *)(m + 1);

	return &first[i].word;
}

static inline size_t sibling_pairs(const struct shape *shape)
{
	return first_leaf(shape) / 2 - 1;
}

/*
 * The children of node h share one cache line.  The lines are in preorder, so
 * the paths of the members with the lowest ids come first, and a pool with few
 * members touches few pages.  Let node h be at depth d, with p nodes to its
 * left at this depth.  The position of its line is d, one for each step down
 * from ROOT, plus the sizes of all left subtrees that the path to h passes by.
 * There is one such subtree for each 1 bit in p.
 */
static inline size_t pair_of(const struct shape *shape, unsigned h)
{
	unsigned d = 31 - (unsigned)__builtin_clz(h);
	unsigned p = h - (1U << d);

	return d + p * (first_leaf(shape) / 2 >> d) -
	       (unsigned)__builtin_popcount(p);
}

/* h is a heap position: the parent of h is h/2, and 1 is ROOT. */
static inline struct word *node_at(struct roster *m, const struct shape *shape,
				   unsigned h)
{
	struct siblings *first = (struct siblings *)slot_at(m, shape_slots(shape));

	return h == 1 ? &m->ROOT
		      : &first[pair_of(shape, h / 2)].node[h % 2];
}

static inline struct word *W_at(struct roster *m, const struct shape *shape,
				unsigned p)
{
	struct siblings *nodes = (struct siblings *)slot_at(m, shape_slots(shape));
	struct line *first = (struct line *)(nodes + sibling_pairs(shape));

	return &first[p].word;
}

static inline size_t words_of(const struct shape *shape)
{
	return WORDS(struct roster) +
	       (shape_slots(shape) + shape->n) * WORDS(struct line) +
	       sibling_pairs(shape) * WORDS(struct siblings);
}

/* There are three pieces: the words from ROOT to the last slot; the paths of
 * the members; the W words of the members. */
static inline bool extent_of(const struct shape *shape, unsigned from,
			     unsigned to, unsigned piece, struct extent *extent)
{
	const size_t nodes = WORDS(struct roster) +
			     shape_slots(shape) * WORDS(struct line);
	const size_t W = nodes + sibling_pairs(shape) * WORDS(struct siblings);
	unsigned lowest = (first_leaf(shape) + to - 1) / 4;

	if (to > shape->n)
		to = from; /* a resize touches no further words */
	if (piece > 2 || (piece > 0 && from == to))
		return false;
	*extent = (struct extent){ 0, nodes };
	if (piece == 1)
		*extent = (struct extent){
			nodes,
			lowest ? (pair_of(shape, lowest) + 1) *
				 WORDS(struct siblings) : 0
		};
	/* A refresh also reads the sibling of the last leaf. */
	to += to % 2 && to < shape->n;
	if (piece == 2)
		*extent = (struct extent){ W + from * WORDS(struct line),
					   (to - from) * WORDS(struct line) };
	return true;
}

static inline unsigned kind_of(uint64_t word)
{
	return (unsigned)(word & KIND);
}

/* Returns the id in a slot's word. */
static inline unsigned id_of(uint64_t x)
{
	return (unsigned)(x >> ID_AT) & (MOST_N - 1);
}

/* Returns the slot in a W word that is GRANT. */
static inline unsigned slot_of(uint64_t w)
{
	return (unsigned)(w >> SLOT_AT) & (MOST_K - 1);
}

static inline uint64_t token_of(uint64_t word)
{
	return (word & STAMP) >> STAMP_AT;
}

static inline uint64_t slot_word(unsigned kind, unsigned id, uint64_t stamp)
{
	return (stamp << STAMP_AT & STAMP) | (uint64_t)id << ID_AT | kind;
}

static inline uint64_t wait_word(uint64_t seq, uint64_t token)
{
	return (token << STAMP_AT & STAMP) | (seq << SEQ_AT & SEQ) | WAIT;
}

/* Returns the W word of a process after slot i has been granted to it.  w is
 * its W word before the grant, which is WAIT. */
static inline uint64_t granted(uint64_t w, unsigned i)
{
	return (w ^ WAIT ^ GRANT) | (uint64_t)i << SLOT_AT;
}

static inline uint64_t idle_word(uint64_t w)
{
	return w & SEQ;
}

/* is_taken returns whether x, the reservation in slot i, is taken; is_pending
 * returns whether it is pending.  w is the W word of the process that x
 * names. */
static inline bool is_taken(uint64_t x, unsigned i, uint64_t w)
{
	return (w & ~(uint64_t)SEQ) ==
	       ((x & STAMP) | (uint64_t)i << SLOT_AT | GRANT);
}

static inline bool is_pending(uint64_t x, uint64_t w)
{
	return (w & ~(uint64_t)SEQ) == ((x & STAMP) | WAIT);
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
