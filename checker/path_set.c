/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/path_set.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 12 }; /* `room` is always a power of two */

/* The slot of this fingerprint, or the empty slot where it belongs. */
static size_t *slot_of(const struct path_set *s, uint64_t fingerprint)
{
	size_t mask = 2 * s->room - 1, at = fingerprint & mask;

	while (s->slot[at] && s->state[s->slot[at] - 1] != fingerprint)
		at = (at + 1) & mask;
	return &s->slot[at];
}

bool path_set_open(struct path_set *s)
{
	s->length = 0;
	s->room = FIRST_ROOM;
	s->state = malloc(s->room * sizeof *s->state);
	s->slot = calloc(2 * s->room, sizeof *s->slot);
	return s->state && s->slot;
}

void path_set_close(struct path_set *s)
{
	free(s->state);
	free(s->slot);
}

/* The states are inserted again in the order of the path: path_set_pop needs
 * that order. */
static bool grow(struct path_set *s)
{
	uint64_t *state = realloc(s->state, 2 * s->room * sizeof *state);
	size_t *slot;

	if (!state)
		return false;
	s->state = state;
	slot = calloc(4 * s->room, sizeof *slot);
	if (!slot)
		return false;
	free(s->slot);
	s->slot = slot;
	s->room *= 2;
	for (size_t i = 0; i < s->length; i++)
		*slot_of(s, s->state[i]) = i + 1;
	return true;
}

bool path_set_push(struct path_set *s, uint64_t fingerprint)
{
	if (s->length == s->room && !grow(s))
		return false;
	s->state[s->length++] = fingerprint;
	*slot_of(s, fingerprint) = s->length;
	return true;
}

/* The last state was inserted after all others, so its slot was empty when the
 * others were inserted, and can become empty again. */
void path_set_pop(struct path_set *s)
{
	*slot_of(s, s->state[s->length - 1]) = 0;
	s->length--;
}

bool path_set_has(const struct path_set *s, uint64_t fingerprint)
{
	return *slot_of(s, fingerprint) != 0;
}
