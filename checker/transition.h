/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes, stores and takes back transitions.  transition_try makes a transition
 * and takes it back at once; the stored transition can then be made again. */
#ifndef ATMOST_CHECKER_TRANSITION_H
#define ATMOST_CHECKER_TRANSITION_H

#include "checker/heap.h"
#include "checker/world.h"

enum { MAX_TRANSITIONS = 512 }; /* transitions of one state */

/*
 * A stored transition.  The transition and the data to which it points, except
 * for local states, occupy `size` bytes from `start`.
 */
struct transition {
	char *start;
	size_t size;
	struct choice choice;
	uint16_t change_count;
	uint32_t violated;  /* properties that this transition violates */
	uint32_t overtaken; /* processes that this transition overtook */
	uint64_t hash, monitor_hash; /* after this transition */
	uint64_t hash_before, monitor_hash_before;
	struct local_state *before, *after;
	struct monitor *monitor; /* two: before and after; NULL: no change */
	void *history_before, *history_after; /* NULL: unchanged */
	struct word_change change[];
};

/*
 * Make choice c and take it back.  Returns the transition, on top of the heap,
 * or NULL if the process is blocked: its look fails and the state does not
 * change.
 */
struct transition *transition_try(struct world *w, struct choice c,
				  struct heap *heap);

/* Returns a copy of t on top of the heap. */
struct transition *transition_copy(const struct transition *t,
				   struct heap *heap);

/* transition_apply makes the transition, in the state in which it was tried.
 * transition_retract takes it back. */
void transition_apply(struct world *w, const struct transition *t);
void transition_retract(struct world *w, const struct transition *t);

#endif
