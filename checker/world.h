/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The world consists of an instance of an algorithm in simulated memory, the
 * local states of its processes, and what the monitors remember.  Transitions
 * move the world from state to state and back (transition.h).
 */
#ifndef ATMOST_CHECKER_WORLD_H
#define ATMOST_CHECKER_WORLD_H

#include "checker/local_state.h"
#include "checker/question.h"

/* A torn read is a read of a safe register that overlaps a write. */
enum act {
	ACT_STEP,  /* the next step; variant: which value a torn read returns */
	ACT_START, /* begin a passage (variant: session or operation), a
		      recovery or a resize */
	ACT_ABORT, /* give up waiting */
	ACT_DIE,   /* die; the death will be noticed */
	ACT_NAP,   /* look again after a nap; expand.c decides when */
	ACT_LAPSE, /* the lease ends although the process runs on */
	ACT_DELIVER /* a request on its way arrives (variant: which one) */
};

struct choice {
	uint8_t process, act, variant;
};

/* A word that a transition changes. */
struct word_change {
	uint32_t word;
	uint64_t old, new;
};

/* What the monitors remember; it is part of the state. */
struct monitor {
	/* for each waiter: the processes that began a doorway after the waiter
	 * had finished its own */
	uint64_t after[MAX_EXHAUSTIVE_N];
	/* for each waiter: how many times a conflicting process of `after` has
	 * entered */
	uint64_t bypassed[MAX_EXHAUSTIVE_N];
	/* the processes that must stay enabled until they enter (fife) */
	uint64_t overtaken;
	uint64_t deaths_left;
	/* the largest k since all processes were last in their remainders */
	uint64_t limit;
	uint64_t shrinking; /* 1: k has shrunk since that time */
	/* the largest token with which a process entered each slot (fenced) */
	uint64_t fence[MAX_EXHAUSTIVE_N];
};

struct world {
	const struct question *question;
	unsigned asked; /* the properties to check */
	unsigned n;
	struct local_states local_states;
	struct local_state *current[MAX_EXHAUSTIVE_N]; /* one per process */
	struct local_state *loaded[MAX_EXHAUSTIVE_N];  /* on the stack of p */
	bool lazy; /* stacks need not hold the current local states */
	bool full; /* no room for another local state or transition */
	struct monitor monitor;
	uint64_t hash; /* of the whole state, a sum */
	uint64_t monitor_hash;
	uint64_t *word_key;
	unsigned steps_of; /* bit p: the bounds apply to process p */
	unsigned doorway_bound, leave_bound, abort_bound; /* 0: none */
	unsigned apply_bound, finish_bound;
	struct history *history; /* for an object type; otherwise NULL */
	/* the most remote references in a passage of the tracked process */
	unsigned worst_remote;
	/* a word that the tracked process waits on remotely, or -1 */
	long remote_wait;
};

/*
 * `memory` is the number of bytes for local states.  Returns false if there is
 * no memory.
 */
bool world_open(struct world *w, const struct question *q, size_t memory);
void world_close(struct world *w);
void world_reset(struct world *w);

/*
 * Writes the choices of process p in the current state, and returns their
 * number.  The choices include the steps of a blocked process, although these
 * cannot be made.  They do not include ACT_NAP, which depends on what the other
 * processes can do.
 */
unsigned world_choices(struct world *w, unsigned p, struct choice *choices);
enum { MAX_CHOICES = 300 };

/*
 * Copy the current local state of p to its stack, unless it is there already.
 */
void world_load(struct world *w, unsigned p);

/*
 * Returns the number of ways in which a passage can begin: sessions or
 * operations.
 */
unsigned world_beginnings(const struct world *w);

/* Returns the number of values that the next read of p may return. */
unsigned world_torn_values(const struct world *w, unsigned p);

/* The fates of a transaction, as variants of ACT_STEP; the last two are faults
 * of the store, after which the process sends its transaction again. */
enum { FATE_ANSWERED, FATE_ANSWER_LOST, FATE_DELAYED, FATES };

/* Returns the number of variants of the next step of p: the values that a torn
 * read may return, or the fates of a transaction. */
unsigned world_variants(const struct world *w, unsigned p);

/* Returns the hash of what the monitors and the history remember. */
uint64_t world_monitor_hash(const struct world *w);

static inline enum phase world_phase(const struct world *w, unsigned p)
{
	return (enum phase)w->current[p]->phase;
}

/*
 * Returns whether p is inside a critical section.  The operation of an object
 * type is no critical section: the algorithm makes its steps.
 */
static inline bool world_is_inside(const struct world *w, unsigned p)
{
	return world_phase(w, p) == PHASE_INSIDE &&
	       !sim.algorithm->object.apply;
}

/*
 * Returns whether p is busy: it is in a part of a passage, of a recovery or of
 * a resize that must end.
 */
static inline bool world_is_busy(const struct world *w, unsigned p)
{
	return world_phase(w, p) != PHASE_REMAINDER && !world_is_inside(w, p);
}

#endif
