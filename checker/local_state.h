/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stores the local states of processes.  A process has few local states
 * compared with the number of states of the whole instance.  Each local state
 * is stored once.  A whole state then consists of the words and one pointer per
 * process.
 */
#ifndef ATMOST_CHECKER_LOCAL_STATE_H
#define ATMOST_CHECKER_LOCAL_STATE_H

#include "checker/hash.h"
#include "memory/simulated/simulated.h"

enum { NO_STEP = 255 };

#define TOUCHES_UNKNOWN UINT32_MAX /* step not made or not repeatable */
#define TOUCHES_NOTHING (UINT32_MAX - 1)

/* The local state of one process: its stack and own words as bytes, and the
 * words that its last pass read.  Once it is stored, only `touches` changes. */
struct local_state {
	uint64_t hash;
	char *sp;
	struct step *step; /* NULL: in the remainder */
	uint32_t bytes, watch_count;
	uint64_t session, token;
	int32_t slot;
	uint32_t word;       /* the word of the next step, if it has one */
	uint32_t touches;    /* the one word on which the next step depends */
	uint8_t phase, kind; /* enum phase; enum step_kind or NO_STEP */
	uint8_t passages_left, aborts_left, overrun;
	uint8_t polls,
		named; /* as in struct simulated_process and struct coroutine */
	/* `bytes` bytes and `watch_count` watched words follow. */
};

enum { MOVE_CHANGES = 2 };

/* A step that a process made in local state `before`.  `value` stands for
 * everything else on which the step depended (move_cache.c). */
struct move {
	const struct local_state *before;
	uint64_t value;
	struct local_state *after; /* NULL: the process was blocked */
	uint16_t choice, change_count;
	/* The changed words, each with the bits that the step flipped.  Storing
	 * new values would be wrong: if a word holds one bit per process or per
	 * word, its other bits may differ when the move is used again. */
	uint32_t word[MOVE_CHANGES];
	uint64_t flipped[MOVE_CHANGES];
};

struct local_states {
	char *base; /* the local states, one after the other */
	size_t used, size, mapped;
	struct local_state_slot {
		uint64_t key;
		struct local_state *state;
	} * table;
	uint64_t slots, count;
	struct move *move; /* hash table; a new move may replace an old one */
};

enum { MOVES = 1 << 17 };

bool local_states_open(struct local_states *l, size_t memory);
void local_states_close(struct local_states *l);

/* Returns the stored copy of the local state of p, and makes it if there was
 * none.  Returns NULL if there is no room. */
struct local_state *local_states_keep(struct local_states *l, unsigned p);

/* Put process p into a local state. */
void local_state_put(const struct local_state *s, unsigned p);

static inline const char *local_state_bytes(const struct local_state *s)
{
	return (const char *)(s + 1);
}

static inline const struct watched *local_state_watched(
	const struct local_state *s)
{
	return (const struct watched *)(const void *)(local_state_bytes(s) +
						      s->bytes);
}

/*
 * Returns whether another pass may read other values than the last pass.  This
 * is so if a watched word has changed or is being written (then a read may
 * return any value), or if there was no pass.
 */
static inline bool local_state_watched_changed(const struct local_state *s)
{
	const struct watched *watched = local_state_watched(s);
	bool safe = sim.copies > sim.flux;

	for (uint32_t i = 0; i < s->watch_count; i++)
		if (sim.words[watched[i].word].value != watched[i].value ||
		    (safe && sim_in_flux(watched[i].word)))
			return true;
	return s->watch_count == 0;
}

/* Returns the table entry for this move; the entry may hold another move. */
static inline struct move *local_states_move(struct local_states *l,
					     const struct local_state *before,
					     uint64_t value, uint16_t choice)
{
	uint64_t h = hash_mix(before->hash ^ value * 0x9e3779b97f4a7c15u,
			      hash_keys[0] ^ choice);

	return &l->move[h % MOVES];
}

#endif
