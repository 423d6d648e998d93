/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to make a shared object from a function.  An algorithm finds the
 * construction in the table of another algorithm and uses it.
 *
 * An operation takes effect at one instant.  A process applies it under a name.
 * At most one process at a time acts under a name, a recoverer included, and
 * everything that the last one did happens before everything that the next one
 * does.  A function that returns bool returns false if the words are damaged.
 */
#ifndef ATMOST_ALGORITHMS_CONSTRUCTION_H
#define ATMOST_ALGORITHMS_CONSTRUCTION_H

#include "mem.h"

/*
 * An object as one process sees it.  f changes the state and sets the results.
 * Several processes may call f for the same operation, also at the same time;
 * so f has no other effect, and it accepts any input.
 */
struct object {
	unsigned names;
	unsigned state;     /* words of the state */
	unsigned arguments; /* words of an operation's arguments */
	unsigned results;   /* words of an operation's results, 1 or more */
	void (*f)(void *context, uint64_t *state, uint64_t operation,
		  const uint64_t *argument, uint64_t *result);
	void *context;
	struct word *words; /* shared */
	uint64_t *own;      /* private, `state` words or more; they keep no
			       value between calls */
};

/* A run of words. */
struct extent {
	size_t from, count;
};

struct construction {
	unsigned most_names;
	size_t (*words)(const struct object *);
	/* Optional: the words that the names from..to-1 touch; see
	 * algorithm.h. */
	bool (*extent)(const struct object *, unsigned from, unsigned to,
		       unsigned piece, struct extent *);
	unsigned (*own)(const struct object *);

	/* The initial state is zero except the words that the caller pokes at
	 * first(). */
	void (*init)(const struct object *);
	struct word *(*first)(const struct object *);

	/* tag and operation: not 0.  recover returns the tag. */
	bool (*apply)(const struct object *, unsigned name, uint64_t tag,
		      uint64_t operation, const uint64_t *argument,
		      uint64_t *result);

	/*
	 * The process under this name is dead, and the caller now acts under
	 * the name.  Afterwards the dead process's operation has taken effect
	 * or never will.  Returns the tag and the result of the last operation
	 * that took effect; tag 0: there was none.  May be interrupted and
	 * repeated.
	 */
	bool (*recover)(const struct object *, unsigned name, uint64_t *tag,
			uint64_t *result);

	/* One try to read `count` words of the state as they were at one
	 * instant.  Needs no name.  *again: an operation disturbed the read. */
	bool (*read)(const struct object *, unsigned first, unsigned count,
		     uint64_t *state, bool *again);

	/* Reads a word of the state that only the caller changes from now
	 * on. */
	bool (*settled)(const struct object *, unsigned at, uint64_t *word);

	/* Like read, for observers: no steps, one word. */
	bool (*peek)(const struct object *, unsigned at, uint64_t *word);

	/* No operation is under way. */
	bool (*quiet)(const struct object *);

	/* Most own steps: of apply, of one try to read `count` words, of
	 * settled. */
	unsigned (*apply_steps)(const struct object *);
	unsigned (*read_steps)(const struct object *, unsigned count);
	unsigned settled_steps;
};

#endif
