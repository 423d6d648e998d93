/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states on the path of a depth-first search, by their fingerprints: an
 * edge back to one of them closes a cycle.
 */
#ifndef ATMOST_CHECKER_TRAIL_H
#define ATMOST_CHECKER_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trail {
	uint64_t *state; /* from the root on */
	size_t length, room;
	size_t *slot; /* a table of these, + 1; 0: empty.  Twice room. */
};

bool trail_open(struct trail *t);
void trail_close(struct trail *t);

/* False: no memory. */
bool trail_push(struct trail *t, uint64_t fingerprint);

void trail_pop(struct trail *t);

bool trail_has(const struct trail *t, uint64_t fingerprint);

static inline size_t trail_bytes(const struct trail *t)
{
	return t->room * (sizeof *t->state + 2 * sizeof *t->slot);
}

#endif
