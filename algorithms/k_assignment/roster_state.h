/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What roster's words are at first, what holds of them always and when all is
 * quiet, and what they say to who looks on.
 *
 * I1  who is inside with slot i: slot[i] is FAST of it, or RES of it and taken
 * I2  at most one slot is FAST of p, and then W[p] is IDLE
 * I3  W[p] is GRANT(i,t): slot[i] is RES(p,t)
 * I4  W of who is in its remainder is IDLE
 * I5  every token in a W word is older than TOKEN
 * I6  see roster_tree.h
 * I8  what has a closing mark is FAST or RES; LIMIT slots are neither closed
 *     nor marked, unless somebody resizes
 */
#ifndef ATMOST_ROSTER_STATE_H
#define ATMOST_ROSTER_STATE_H

#include "roster_words.h"

static inline void roster_init(void *shared, const struct shape *shape)
{
	struct roster *m = shared;

	mem_poke(&m->TOKEN, 1);
	mem_name(&m->TOKEN, "TOKEN");
	mem_poke(&m->LIMIT, shape->k);
	mem_name(&m->LIMIT, "LIMIT");
	mem_poke(&m->ROOT, 0);
	mem_name(&m->ROOT, "ROOT");
	for (unsigned h = 2; h < first_leaf(shape); h++) {
		mem_poke(node_at(m, shape, h), 0);
		mem_name(node_at(m, shape, h), "node", h);
	}
	for (unsigned i = 0; i < slots(shape); i++) {
		mem_poke(slot_at(m, i), i < shape->k ? FREE : CLOSED);
		mem_name(slot_at(m, i), "slot", i);
	}
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(W_at(m, shape, p), IDLE);
		mem_place(W_at(m, shape, p), p);
		mem_name(W_at(m, shape, p), "W", p);
	}
}

static inline bool roster_quiet(void *shared, const struct shape *shape)
{
	struct roster *m = shared;
	uint64_t open = 0;

	for (unsigned i = 0; i < slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		if (x != FREE && x != CLOSED)
			return false;
		open += x == FREE;
	}
	for (unsigned p = 0; p < shape->n; p++)
		if (kind_of(mem_peek(W_at(m, shape, p))) != IDLE)
			return false;
	for (unsigned h = 1; h < first_leaf(shape); h++)
		if (!is_empty(mem_peek(node_at(m, shape, h))))
			return false;
	return open == mem_peek(&m->LIMIT);
}

/* I1, of slot i and who is inside with it. */
static inline bool is_held(struct roster *m, const struct shape *shape,
			   unsigned p, unsigned i)
{
	uint64_t x = mem_peek(slot_at(m, i));

	if (id_of(x) != p)
		return false;
	return kind_of(x) == FAST ||
	       (kind_of(x) == RES &&
		is_taken(x, i, mem_peek(W_at(m, shape, p))));
}

/* I2, of p. */
static inline bool is_fast_once(struct roster *m, const struct shape *shape,
				unsigned p)
{
	unsigned count = 0;

	for (unsigned i = 0; i < slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		count += kind_of(x) == FAST && id_of(x) == p;
	}
	return count == 0 || (count == 1 && kind_of(mem_peek(
						W_at(m, shape, p))) == IDLE);
}

/* I3 and I5, of w, the word of p. */
static inline bool is_backed(struct roster *m, const struct shape *shape,
			     unsigned p, uint64_t w)
{
	uint64_t x;

	if (kind_of(w) == IDLE)
		return true;
	if (!older(token_of(w), mem_peek(&m->TOKEN)))
		return false;
	if (kind_of(w) == WAIT)
		return true;
	if (slot_of(w) >= slots(shape))
		return false;
	x = mem_peek(slot_at(m, slot_of(w)));
	return kind_of(x) == RES && id_of(x) == p && is_taken(x, slot_of(w), w);
}

/* I6, of one that waits with w. */
static inline bool is_behind_root(struct roster *m, const struct shape *shape,
				  uint64_t w)
{
	uint64_t r = mem_peek(&m->ROOT), first;
	unsigned q = named(r);

	if (q >= shape->n)
		return false;
	first = mem_peek(W_at(m, shape, q));
	return !is_fresh(r, q, first) || first == w ||
	       older(token_of(first), token_of(w));
}

/* I8.  Who died while it resized will do it again. */
static inline bool is_as_limited(struct roster *m, const struct shape *shape,
				 const struct whereabouts *all)
{
	uint64_t open = 0;
	bool resizing = false;

	for (unsigned i = 0; i < slots(shape); i++) {
		uint64_t x = mem_peek(slot_at(m, i));

		if ((x & MARK) && kind_of(x) != FAST && kind_of(x) != RES)
			return false;
		open += kind_of(x) != CLOSED && !(x & MARK);
	}
	for (unsigned p = 0; p < shape->n; p++)
		resizing |= all[p].phase == PHASE_RESIZING ||
			    all[p].phase == PHASE_DEAD;
	return resizing || open == mem_peek(&m->LIMIT);
}

static inline bool roster_invariant(void *shared, const struct shape *shape,
				    const struct whereabouts *all)
{
	struct roster *m = shared;

	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t w = mem_peek(W_at(m, shape, p));
		enum phase phase = all[p].phase;

		if (!is_fast_once(m, shape, p) || !is_backed(m, shape, p, w))
			return false;
		if (phase == PHASE_INSIDE &&
		    !is_held(m, shape, p, (unsigned)all[p].slot))
			return false;
		if (phase == PHASE_REMAINDER && kind_of(w) != IDLE)
			return false;
		if (phase == PHASE_WAITING && kind_of(w) == WAIT &&
		    !is_behind_root(m, shape, w))
			return false;
	}
	return is_as_limited(m, shape, all);
}

static inline int roster_holder(void *shared, const struct shape *shape,
				unsigned slot)
{
	struct roster *m = shared;
	uint64_t x, w;

	if (slot >= slots(shape))
		return -1;
	x = mem_peek(slot_at(m, slot));
	if ((kind_of(x) != FAST && kind_of(x) != RES) || id_of(x) >= shape->n)
		return -1;
	w = mem_peek(W_at(m, shape, id_of(x)));
	if (kind_of(x) == RES && !is_taken(x, slot, w) && !is_pending(x, w))
		return -1;
	return (int)id_of(x);
}

/*
 * The distance from a point half a round before TOKEN, which moves seldom: so
 * that ranks asked for one after the other can be compared.
 */
static inline uint64_t roster_rank(void *shared, const struct shape *shape,
				   unsigned id)
{
	struct roster *m = shared;
	const uint64_t quarter = UINT64_C(1) << (STAMP_BITS - 2);
	uint64_t w, from;

	if (id >= shape->n)
		return 0;
	w = mem_peek(W_at(m, shape, id));
	if (kind_of(w) != WAIT)
		return 0;
	from = (mem_peek(&m->TOKEN) & ~(quarter - 1)) - 2 * quarter;
	return ((token_of(w) - from) & (4 * quarter - 1)) + 1;
}

#endif
