/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What makes a shared object of a function: how one algorithm uses another's
 * construction, found in that one's table.
 *
 * An operation is applied as if at one instant, by who acts under a name.  At
 * most one acts under a name at a time, who recovers a dead one included, and
 * what the last one did happens before what the next does.  The functions that
 * return bool say false if the words are damaged.
 */
#ifndef ATMOST_ALGORITHMS_CONSTRUCTION_H
#define ATMOST_ALGORITHMS_CONSTRUCTION_H

#include "mem.h"

/*
 * An object, as one participant has it.  f changes the state and sets the
 * results.  It may be called more than once for an operation, and by several at
 * a time: so it does nothing else, and answers whatever it is called with.
 */
struct object {
	unsigned names;
	unsigned state;     /* words of the object */
	unsigned arguments; /* words of each operation */
	unsigned results;   /* words of each operation, 1 or more */
	void (*f)(void *context, uint64_t *state, uint64_t operation,
		  const uint64_t *argument, uint64_t *result);
	void *context;
	struct word *words; /* shared */
	uint64_t *own;      /* nobody else's, `state` words or more; no value
			       in them matters between two calls */
};

/* A run of words. */
struct extent {
	size_t from, count;
};

struct construction {
	unsigned most_names;
	size_t (*words)(const struct object *);
	/* The words that the names from..to-1 touch: see algorithm.h.  Optional. */
	bool (*extent)(const struct object *, unsigned from, unsigned to,
		       unsigned piece, struct extent *);
	unsigned (*own)(const struct object *);

	/* The first state is zero but what the caller pokes into first. */
	void (*init)(const struct object *);
	struct word *(*first)(const struct object *);

	/* tag: not 0; what recover tells again.  operation: not 0. */
	bool (*apply)(const struct object *, unsigned name, uint64_t tag,
		      uint64_t operation, const uint64_t *argument,
		      uint64_t *result);

	/*
	 * The holder of name is dead, and the caller holds it.  What it was at
	 * has taken effect or never will: the last that has, its tag, 0 if
	 * there was none, and what it returned.  May be interrupted and done
	 * again.
	 */
	bool (*recover)(const struct object *, unsigned name, uint64_t *tag,
			uint64_t *result);

	/* One try: so many words of the state as they were at one instant.
	 * Needs no name.  *again: it was disturbed, by some operation. */
	bool (*read)(const struct object *, unsigned first, unsigned count,
		     uint64_t *state, bool *again);

	/* A word of the state that nobody but the caller changes from now on. */
	bool (*settled)(const struct object *, unsigned at, uint64_t *word);

	/* The same as read for who looks on: no steps, one word. */
	bool (*peek)(const struct object *, unsigned at, uint64_t *word);

	/* Nothing is under way. */
	bool (*quiet)(const struct object *);

	/* Most own steps; of a try to read so many words; of settled. */
	unsigned (*apply_steps)(const struct object *);
	unsigned (*read_steps)(const struct object *, unsigned count);
	unsigned settled_steps;
};

#endif
