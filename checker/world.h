/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The world: an instance of an algorithm in simulated memory, its processes
 * somewhere in their passages, and the monitors that watch the properties.
 * It can be moved by one choice, and taken back.
 */
#ifndef ATMOST_CHECKER_WORLD_H
#define ATMOST_CHECKER_WORLD_H

#include "checker/local.h"
#include "checker/question.h"

enum act {
	ACT_STEP,  /* the next step; variant: which value a torn read returns */
	ACT_START, /* begin a passage or a recovery; variant: which session */
	ACT_ABORT, /* give up waiting */
	ACT_DIE,   /* is dead from here on, and will be noticed */
	ACT_NAP    /* look again after a real sleep; see expand.c for when */
};

struct choice {
	uint8_t process, act, variant;
};

/* What the monitors remember; part of the state. */
struct monitor {
	/* who began a doorway after p had finished its own, p still waiting */
	uint64_t after[MAX_EXHAUSTIVE_N];
	/* so often somebody conflicting of these entered */
	uint64_t bypassed[MAX_EXHAUSTIVE_N];
	uint64_t overtaken; /* must be enabled until inside (fife) */
	uint64_t deaths_left;
	uint64_t limit; /* the largest k since all were in their remainders */
	uint64_t shrinking; /* k has been made smaller since then */
};

struct world {
	const struct question *question;
	unsigned asked;
	unsigned n;
	struct locals locals;
	struct local *current[MAX_EXHAUSTIVE_N]; /* where each process is */
	struct local *loaded[MAX_EXHAUSTIVE_N];  /* what its stack holds */
	bool lazy; /* stacks need not hold what is current */
	bool full; /* no room for another local state, or edge */
	struct monitor monitor;
	uint64_t hash; /* of the whole state, a sum */
	uint64_t monitor_hash;
	uint64_t *word_key;
	unsigned steps_of; /* bits: for whom these count */
	unsigned doorway_bound, leave_bound, abort_bound;
	unsigned apply_bound, finish_bound;
	struct history *history; /* objects only */
	unsigned worst_remote;   /* of the tracked process in one passage */
	long remote_wait;        /* a word it waits on remotely, or -1 */
};

/*
 * A transition that was made and taken back, kept for making it again: one
 * piece of memory from `start`, which edge_copy moves elsewhere.
 */
struct edge {
	char *start;
	size_t size;
	struct choice choice;
	uint16_t change_count;
	uint32_t violated;  /* properties this very transition refuses */
	uint32_t overtaken; /* whom it overtook just now */
	uint64_t hash, monitor_hash; /* afterwards */
	uint64_t hash_before, monitor_hash_before;
	struct local *before, *after;
	struct monitor *monitor; /* before, after; NULL: unchanged */
	void *history_before, *history_after; /* NULL: unchanged */
	struct edge_change {
		uint32_t word;
		uint64_t old, new;
	} change[];
};

/* Room that grows and shrinks like a stack. */
struct heap {
	char *base;
	size_t used, size;
};

static inline void *heap_take(struct heap *heap, size_t size)
{
	void *at = heap->base + heap->used;

	heap->used += (size + 15) & ~(size_t)15;
	return at;
}

/* memory: bytes for local states. */
bool world_open(struct world *w, const struct question *q, size_t memory);
void world_close(struct world *w);
void world_reset(struct world *w);

/* The choices process p has now; those of a blocked process are included, but
 * not the end of its nap, which depends on what the others can do. */
unsigned world_choices(struct world *w, unsigned p, struct choice *choices);
enum { MAX_CHOICES = 300 };

/*
 * Make a choice and take it back.  Returns the edge, on top of the heap, or
 * NULL if the process is blocked: its look fails and it stays where it is.
 */
struct edge *world_try(struct world *w, struct choice c, struct heap *heap);
struct edge *edge_copy(const struct edge *e, struct heap *heap);
void world_apply(struct world *w, const struct edge *e);
void world_retract(struct world *w, const struct edge *e);

/* Let the stack of p hold its current state. */
void world_load(struct world *w, unsigned p);

/* In how many ways a passage may begin: sessions, or operations. */
unsigned world_beginnings(const struct world *w);

/* How many values the read that p is about to make may return. */
unsigned world_torn_values(const struct world *w, unsigned p);

/* What is known of an object's operations, as a value. */
size_t world_history_size(const struct world *w);
void world_history_save(const struct world *w, void *to);
void world_history_restore(struct world *w, const void *from);

/* Whether p, asleep after a failed pass, would get further if it looked now. */
bool world_would_proceed(struct world *w, unsigned p);

/* The same of a pass after a real sleep; false also where p does not nap. */
bool world_nap_helps(struct world *w, unsigned p);

/* p alone: does it get inside within so many of its own steps? */
bool world_enters_alone(struct world *w, unsigned p, unsigned steps);

/* Properties that the state refuses, given which processes are enabled, and
 * which others would be if their naps were over. */
unsigned world_refused(struct world *w, uint64_t enabled, uint64_t nappers);

static inline enum phase world_phase(const struct world *w, unsigned p)
{
	return (enum phase)w->current[p]->phase;
}

#endif
