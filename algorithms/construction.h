/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A construction makes a shared object from a sequential function.  An
 * algorithm takes the construction from the table of its component.
 *
 * An operation takes effect at one instant.  A process applies an operation
 * under a name: a small number, below `names`, that no other process uses at
 * the same time.  The algorithm that uses the construction must ensure two
 * things.  At most one process at a time, a recoverer included, acts under a
 * name.  Everything that one process did under a name happens before everything
 * that the next process does under this name.
 *
 * A function that returns bool returns false if the words are damaged.
 */
#ifndef ATMOST_ALGORITHMS_CONSTRUCTION_H
#define ATMOST_ALGORITHMS_CONSTRUCTION_H

#include "mem.h"

/*
 * An object as one process sees it.  f changes the state and sets the results.
 * Several processes may call f for the same operation, even at the same time;
 * so f must have no other effect, and f must accept any input.
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
	uint64_t *own;      /* private words; construction.own() says how many,
			       at least as many as the state has; no call
			       relies on values from an earlier call */
};

/* `count` consecutive words; `from` is the index of the first. */
struct extent {
	size_t from, count;
};

struct construction {
	unsigned most_names;
	size_t (*words)(const struct object *);
	/* Optional: the words that the names from..to-1 touch; see extent in
	 * algorithm.h. */
	bool (*extent)(const struct object *, unsigned from, unsigned to,
		       unsigned piece, struct extent *);
	unsigned (*own)(const struct object *);

	/* init sets the state to zero; then the caller pokes other initial
	 * values at first(). */
	void (*init)(const struct object *);
	struct word *(*first)(const struct object *);

	/* tag and operation must not be 0.  recover reports the tag of the last
	 * operation. */
	bool (*apply)(const struct object *, unsigned name, uint64_t tag,
		      uint64_t operation, const uint64_t *argument,
		      uint64_t *result);

	/*
	 * The process that acted under this name is dead, and the caller now
	 * acts under the name.  Afterwards the dead process's operation has
	 * taken effect or never will.  *tag and *result get the tag and the
	 * result of the last operation that took effect; *tag is 0 if there was
	 * no such operation.  The call may be interrupted and repeated.
	 */
	bool (*recover)(const struct object *, unsigned name, uint64_t *tag,
			uint64_t *result);

	/* Tries once to read `count` words of the state as they were at one
	 * instant.  The caller needs no name.  Sets *again if an operation
	 * disturbed the read. */
	bool (*read)(const struct object *, unsigned first, unsigned count,
		     uint64_t *state, bool *again);

	/* Returns word `at` of the state, or 0 if the words are damaged.  The
	 * caller must know that from now on only the caller itself changes this
	 * word. */
	uint64_t (*settled)(const struct object *, unsigned at);

	/* Reads word `at` of the state for an observer, without a step. */
	bool (*peek)(const struct object *, unsigned at, uint64_t *word);

	/* Returns true if no operation is under way. */
	bool (*quiet)(const struct object *);

	/* The largest numbers of steps that the caller makes in apply, in one
	 * try to read `count` words, and in settled. */
	unsigned (*apply_steps)(const struct object *);
	unsigned (*read_steps)(const struct object *, unsigned count);
	unsigned settled_steps;
};

#endif
