/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds different states that have the same fingerprint, for tests of the
 * fingerprint.  Every state gets a second hash: over all words, the bytes of
 * all local states, and everything that the monitors and the history remember.
 * If the algorithm naps, the second hash also includes whether a pass has named
 * a word.  The second hash reuses nothing of the fingerprint.
 */
#ifndef ATMOST_CHECKER_COLLISIONS_H
#define ATMOST_CHECKER_COLLISIONS_H

#include "checker/world.h"

struct collisions {
	struct pair {
		uint64_t fingerprint, second;
	} * table; /* hash table; a fingerprint of 0: empty */
	uint64_t slots, count;
	bool no_memory; /* a state could not be added */
};

/* Returns false if there is no memory. */
bool collisions_open(struct collisions *c);
void collisions_close(struct collisions *c);

/*
 * Add the current state of w.  Returns false if another state with the same
 * fingerprint was added before.  Without memory the state is not added, and
 * no_memory becomes true.
 */
bool collisions_add(struct collisions *c, const struct world *w);

#endif
