/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A path set contains the fingerprints of the states on the current path of a
 * depth-first search.  A transition to one of these states closes a cycle.
 */
#ifndef ATMOST_CHECKER_PATH_SET_H
#define ATMOST_CHECKER_PATH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct path_set {
	uint64_t *state; /* in the order of the path, from the root */
	size_t length, room;
	size_t *slot; /* hash table of 2 * room entries: 1 + an index in
			 `state`; 0: empty */
};

bool path_set_open(struct path_set *s);
void path_set_close(struct path_set *s);

/* Add the next state of the path.  Returns false if there is no memory. */
bool path_set_push(struct path_set *s, uint64_t fingerprint);

/* Remove the last state of the path. */
void path_set_pop(struct path_set *s);

bool path_set_has(const struct path_set *s, uint64_t fingerprint);

static inline size_t path_set_bytes(const struct path_set *s)
{
	return s->room * (sizeof *s->state + 2 * sizeof *s->slot);
}

#endif
