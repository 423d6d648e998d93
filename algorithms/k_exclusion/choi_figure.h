/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Choi's algorithm: section 2.3 of the thesis, with its line numbers.
 *
 * Before the .c file of an algorithm includes this header, it defines a
 * function that returns the number of blocks of A; each block has k places:
 *
 *	static unsigned choi_blocks(const struct shape *shape);
 *
 * There must be at least two blocks.  Otherwise a leaver that is a round late
 * could update the same place as a leaver of the present round, and the guard
 * of line 8 would let both write.
 *
 * Token t stands for a word of A and a round.  Its word is A[f] with f = t mod
 * slots, that is, place t mod k of block f / k, where `slots` is the number of
 * places.  Its round is t / slots + 1; rounds are counted from 1.  The token is
 * enabled as soon as a word of its Wait-Set has reached its round, and it stays
 * enabled.
 */
#ifndef ATMOST_CHOI_FIGURE_H
#define ATMOST_CHOI_FIGURE_H

#include "choi_sets.h"

struct choi {
	OWN_LINE struct word Entry; /* the token that the next arrival draws */
	OWN_LINE struct word Exit;  /* how many processes have left */
	struct choi_place {
		OWN_LINE struct word round; /* never decreases */
	} A[];
};

enum { TOKEN }; /* the number of the only counter */

static inline uint64_t choi_slots(const struct shape *shape)
{
	return (uint64_t)choi_blocks(shape) * shape->k;
}

static inline struct word *choi_word(struct choi *c, const struct shape *shape,
				     uint64_t t)
{
	return &c->A[t % choi_slots(shape)].round;
}

static inline uint64_t choi_round(const struct shape *shape, uint64_t t)
{
	return t / choi_slots(shape) + 1;
}

static inline size_t choi_words(const struct shape *shape)
{
	return WORDS(struct choi) +
	       (size_t)choi_slots(shape) * WORDS(struct choi_place);
}

static inline void choi_init(void *shared, const struct shape *shape)
{
	struct choi *c = shared;

	mem_poke(&c->Entry, mem_first(TOKEN));
	mem_poke(&c->Exit, mem_first(TOKEN));
	mem_name(&c->Entry, "Entry");
	mem_name(&c->Exit, "Exit");
	for (unsigned i = 0; i < choi_blocks(shape); i++) {
		for (unsigned j = 0; j < shape->k; j++) {
			uint64_t f = (uint64_t)i * shape->k + j;

			mem_poke(&c->A[f].round,
				 choi_round(shape, mem_first(TOKEN)) - (i > 0));
			mem_name(&c->A[f].round, "A", i, j);
		}
	}
}

static inline bool choi_enabled(struct choi *c, const struct shape *shape,
				uint64_t t)
{
	uint64_t k = shape->k, j = t % k;

	for (uint64_t w = j; w < k; w = choi_next_waited(j, w, k))
		if (mem_peek(choi_word(c, shape, t - j + w)) >=
		    choi_round(shape, t))
			return true;
	return false;
}

/* Returns true if no process waits or is inside, and exactly the next k tokens
 * are enabled. */
static inline bool choi_quiet(void *shared, const struct shape *shape)
{
	struct choi *c = shared;
	uint64_t exit = mem_peek(&c->Exit);

	return mem_peek(&c->Entry) == exit &&
	       choi_enabled(c, shape, exit + shape->k - 1) &&
	       !choi_enabled(c, shape, exit + shape->k);
}

/*
 * Returns whether the enabled tokens are 0..m, where Exit <= m+1 <= Exit + k.
 * It is enough to look at one round of tokens before and after Exit: if a token
 * is enabled, all earlier tokens with the same word are enabled.
 */
static inline bool choi_enabled_in_order(struct choi *c,
					 const struct shape *shape)
{
	uint64_t exit = mem_peek(&c->Exit), slots = choi_slots(shape);
	bool enabled = true;

	for (uint64_t t = exit < slots ? 0 : exit - slots;
	     t < exit + shape->k + slots; t++) {
		bool is = choi_enabled(c, shape, t);

		if (is && (!enabled || t >= exit + shape->k))
			return false;
		if (!is && t < exit)
			return false;
		enabled = is;
	}
	return true;
}

/* The number of tokens in use is `Entry` - `Exit`; the processes between lines
 * 1 and 3 have these tokens. */
static inline bool choi_invariant(void *shared, const struct shape *shape,
				  const struct whereabouts *all)
{
	struct choi *c = shared;
	uint64_t out = 0;

	for (unsigned i = 0; i < shape->n; i++)
		out += all[i].phase == PHASE_WAITING ||
		       all[i].phase == PHASE_INSIDE;
	return mem_peek(&c->Entry) - mem_peek(&c->Exit) == out &&
	       choi_enabled_in_order(c, shape);
}

static inline int choi_enter(void *shared, struct process *self)
{
	struct choi *c = shared;
	uint64_t k = self->shape->k, t, e, j, a;

L1:	t = mem_add(&c->Entry, 1);
	doorway_ends(self);
	e = choi_round(self->shape, t);
	j = t % k;
	await_any(pass) {
		for (uint64_t w = j; w < k; w = choi_next_waited(j, w, k)) {
L2:			a = look(pass, choi_word(c, self->shape, t - j + w));
			if (a >= e)
				return 0;
		}
	}
}

/* Raise the word of token u to the round of u, unless the word has reached that
 * round. */
static inline void choi_update(struct choi *c, const struct shape *shape,
			       uint64_t u)
{
	struct word *word = choi_word(c, shape, u);
	uint64_t e = choi_round(shape, u), a, exit;

	/* The word must be read before Exit, so that line 8 tells a leaver that
	 * it is late. */
L7:	a = mem_read(word);
	if (a >= e)
		return;
L8:	exit = mem_read(&c->Exit);
	if (exit > u + shape->k)
		return;
L9:	if (mem_cas(word, a, e))
		mem_wake(word);
}

static inline void choi_leave(void *shared, struct process *self)
{
	struct choi *c = shared;
	uint64_t t;
	int64_t j;

	/* From here on this process must enable token t and, once more, the k
	 * tokens before t. */
L3:	t = mem_add(&c->Exit, 1) + self->shape->k;
	j = (int64_t)(t % self->shape->k);
	/*
	 * The loop is lines 4 to 6.  The order is ascending, so that no token
	 * is enabled before an older one.  There are two attempts, because a
	 * leaver that is a round late may make the first compare-and-swap fail;
	 * only a leaver that did our work can make the second one fail.
	 */
	for (int64_t r = -1; r <= j; r = choi_next_released(j, r)) {
		choi_update(c, self->shape, t - (uint64_t)(j - r));
		choi_update(c, self->shape, t - (uint64_t)(j - r));
	}
}

static inline unsigned choi_doorway_steps(const struct shape *shape)
{
	(void)shape;
	return 1;
}

/* A Release-Set has at most one element more than a place has bits.  The leaver
 * handles these elements and -1, each in at most six steps. */
static inline unsigned choi_leave_steps(const struct shape *shape)
{
	return 1 + 6 * (choi_bits(shape->k) + 2);
}

/* A Wait-Set consists of j, k-1, and at most one element for each bit. */
static inline unsigned choi_solo_steps(const struct shape *shape)
{
	return choi_bits(shape->k) + 2;
}

/*
 * A token's remainder modulo the number of places matters, because it tells the
 * word.  A leaver compares Exit with its tokens; if a token is more than k
 * smaller than Exit, it does not matter how much smaller it is.
 */
static inline bool choi_counter(const struct shape *shape, unsigned number,
				struct counter *token)
{
	*token = (struct counter){ .gap = shape->k,
				   .period = choi_slots(shape) };
	return number == TOKEN;
}

/* The bound with a smart cache.  It counts lines 1 and 3; three reads of each
 * word of the Wait-Set, and one more read; and six steps of leaving for -1 and
 * for each element of the Release-Set. */
static inline uint64_t choi_remote(const struct shape *shape,
				   unsigned contention)
{
	(void)contention;
	return 9 * (uint64_t)choi_bits(shape->k) + 21;
}

/*
 * The bound with any cache.  It counts lines 1 and 3; one read of each word of
 * the Wait-Set, one more read, and one read for each compare-and-swap of an
 * exit that overlaps the wait; and six steps of leaving for -1 and for each
 * element of the Release-Set.  At most n-1 exits are in progress when the
 * process draws its token t.  At that time Exit > t-n, and while t is not
 * enabled only processes with smaller tokens leave, so Exit <= t and at most
 * n-1 more exits begin.  An exit makes at most two compare-and-swaps for -1 and
 * for each element of its Release-Set.
 */
static inline uint64_t choi_remote_plain(const struct shape *shape,
					 unsigned contention)
{
	(void)contention;
	return (4 * (uint64_t)shape->n + 3) * (choi_bits(shape->k) + 2) + 3;
}

#endif
