/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Local states.  A process has few of them compared with the states of the
 * whole: each is kept once, by value, and a state of the whole is then the
 * words and one pointer a process.
 *
 * And what a process does next depends on its local state and on the one word
 * that it accesses: moves made before are looked up instead of made again.
 */
#ifndef ATMOST_CHECKER_LOCAL_H
#define ATMOST_CHECKER_LOCAL_H

#include "checker/hash.h"
#include "memory/simulated/simulated.h"

enum { NO_STEP = 255 };

#define TOUCHES_UNKNOWN UINT32_MAX /* not made yet, or not to be looked up */
#define TOUCHES_NOTHING (UINT32_MAX - 1)

/* The local state of one process: its stack and own words as bytes, and what
 * its last pass had read.  Never changed, but for `touches`. */
struct local {
	uint64_t hash;
	char *sp;
	struct step *step; /* NULL: in the remainder */
	uint32_t bytes, watch_count;
	uint64_t session;
	int32_t slot;
	uint32_t word;       /* it is about to access, if it is */
	uint32_t touches;    /* the one word its next step depends on */
	uint8_t phase, kind; /* enum phase; enum step_kind or NO_STEP */
	uint8_t passages_left, aborts_left, overrun;
	uint8_t polls, named; /* as in struct actor and struct errand */
			      /* then the bytes, then the watched words */
};

enum { MOVE_CHANGES = 2 };

/* A step of a process in local state `before` that found `value`. */
struct move {
	const struct local *before;
	uint64_t value;
	struct local *after; /* NULL: it was blocked */
	uint16_t choice, change_count;
	/* The words it changed, by the bits that turned over: a step that sets
	 * one bit among those of others does so whatever theirs are. */
	uint32_t word[MOVE_CHANGES];
	uint64_t turned[MOVE_CHANGES];
};

struct locals {
	char *base; /* the states, one after the other */
	size_t used, size, mapped;
	struct local_slot {
		uint64_t key;
		struct local *local;
	} * table;
	uint64_t slots, count;
	struct move *move; /* by hash; a newer one replaces an older */
};

enum { MOVES = 1 << 17 };

bool locals_open(struct locals *l, size_t memory);
void locals_close(struct locals *l);

/* The local state p is in; NULL: no room for one more. */
struct local *locals_keep(struct locals *l, unsigned p);

/* Put p into a local state. */
void local_put(const struct local *s, unsigned p);

static inline const char *local_bytes(const struct local *s)
{
	return (const char *)(s + 1);
}

static inline const struct watched *local_watched(const struct local *s)
{
	return (const struct watched *)(const void *)(local_bytes(s) +
						      s->bytes);
}

/*
 * Some word that its last pass read has changed since, or is being written and
 * could be read as anything, or there was no pass.
 */
static inline bool local_watched_changed(const struct local *s)
{
	const struct watched *watched = local_watched(s);
	bool safe = sim.copies > sim.flux;

	for (uint32_t i = 0; i < s->watch_count; i++)
		if (sim.words[watched[i].word].value != watched[i].value ||
		    (safe && sim_in_flux(watched[i].word)))
			return true;
	return s->watch_count == 0;
}

/* Where the move of a process in `before` would be, if it is known. */
static inline struct move *locals_move(struct locals *l,
				       const struct local *before,
				       uint64_t value, uint16_t choice)
{
	uint64_t h = hash_mix(before->hash ^ value * 0x9e3779b97f4a7c15u,
			      hash_keys[0] ^ choice);

	return &l->move[h % MOVES];
}

#endif
