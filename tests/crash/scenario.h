/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A scene: somebody does something at an object in a certain state, and is
 * killed at its Nth stop; and whoever recovers it, at the Mth.
 */
#ifndef ATMOST_TESTS_CRASH_SCENE_H
#define ATMOST_TESTS_CRASH_SCENE_H

#include "cast.h"

enum { WAITERS = 2 };

/* What the victim does. */
enum deed { ENTERS, TRIES, GIVES_UP, LEAVES, PARTS, HOLDS, JOINS, RESIZES };

struct scene {
	const char *name;
	enum deed deed;
	bool full; /* the parent has all slots, or all but one */
	unsigned waiters;
};

extern const struct scene scenes[];
extern const unsigned scene_count;

/* How the victim, and the one that recovers it, came off. */
struct outcome {
	enum ending victim, heir;
	unsigned long victim_stops, heir_stops;
};

/*
 * Kills at these stops, or NEVER; then everybody else must come through, and
 * the object be as new.  The object has k + 2 + WAITERS members, or 3 + WAITERS
 * if it is a group without a limit: there the others are of other sessions, and
 * one inside is enough to keep them out.
 */
struct outcome scene_play(struct cast *cast, const struct scene *scene,
			  uint64_t victim_at, uint64_t heir_at);

#endif
