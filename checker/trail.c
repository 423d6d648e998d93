/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/trail.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 12 }; /* a power of two, as all later ones */

/* Where it is, or would be. */
static size_t *slot_of(const struct trail *t, uint64_t fingerprint)
{
	size_t mask = 2 * t->room - 1, at = fingerprint & mask;

	while (t->slot[at] && t->state[t->slot[at] - 1] != fingerprint)
		at = (at + 1) & mask;
	return &t->slot[at];
}

bool trail_open(struct trail *t)
{
	t->length = 0;
	t->room = FIRST_ROOM;
	t->state = malloc(t->room * sizeof *t->state);
	t->slot = calloc(2 * t->room, sizeof *t->slot);
	return t->state && t->slot;
}

void trail_close(struct trail *t)
{
	free(t->state);
	free(t->slot);
}

/* In the order of the path: see trail_pop. */
static bool grow(struct trail *t)
{
	uint64_t *state = realloc(t->state, 2 * t->room * sizeof *state);
	size_t *slot;

	if (!state)
		return false;
	t->state = state;
	slot = calloc(4 * t->room, sizeof *slot);
	if (!slot)
		return false;
	free(t->slot);
	t->slot = slot;
	t->room *= 2;
	for (size_t i = 0; i < t->length; i++)
		*slot_of(t, t->state[i]) = i + 1;
	return true;
}

bool trail_push(struct trail *t, uint64_t fingerprint)
{
	if (t->length == t->room && !grow(t))
		return false;
	t->state[t->length++] = fingerprint;
	*slot_of(t, fingerprint) = t->length;
	return true;
}

/* Whatever is in the table found its place before the last one came, so that
 * nobody misses it. */
void trail_pop(struct trail *t)
{
	*slot_of(t, t->state[t->length - 1]) = 0;
	t->length--;
}

bool trail_has(const struct trail *t, uint64_t fingerprint)
{
	return *slot_of(t, fingerprint) != 0;
}
