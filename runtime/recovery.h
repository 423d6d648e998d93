/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undoing what dead members began.
 *
 * A recoverer holds LOCK_RECOVERY of the member, and the pool's lock among the
 * threads of its process: so it is alone with the member.  It says
 * STATE_RECOVERING in the record once the death is certain.  If it dies on the
 * way, the kernel releases its lock, and the next recoverer begins anew.
 */
#ifndef ATMOST_RUNTIME_RECOVERY_H
#define ATMOST_RUNTIME_RECOVERY_H

#include "runtime/object.h"

/* A member that will be dead in a moment, when its process has closed its files:
 * then the pidfd becomes readable.  -1: there is none. */
struct recovery_dying {
	int pidfd;
	unsigned id;
	uint64_t state;
};

/*
 * Recovers the dead members whose death something hints at, or all of them; and
 * ends a resize that one of them began.  Returns how many it recovered.
 * `dying`, unless NULL: a member for recovery_of_dying.
 */
unsigned recovery_look(struct atmost *object, struct recovery_dying *dying);
unsigned recovery_look_at_all(struct atmost *object);

/* The first, of members that hold a slot: few to look at. */
unsigned recovery_look_inside(struct atmost *object,
			      struct recovery_dying *dying);

/* The member's process has ended, if `ended`.  Closes the pidfd.  Returns how
 * many it recovered. */
unsigned recovery_of_dying(struct atmost *object, struct recovery_dying *dying,
			   bool ended);

/* Whether a member is about to be recovered: it is dying, or a recoverer that we
 * cannot see the work of is at it. */
bool recovery_is_under_way(struct atmost *object);

/* Whether the member is dead and cannot be recovered: takes no lock. */
bool recovery_is_lost(struct atmost *object, unsigned id);

/* Whether it is dead, and left to others who know the object: likewise. */
bool recovery_is_left(struct atmost *object, unsigned id);

/*
 * The member of an ending thread: undoes what it has, whatever it was at.  False:
 * the algorithm cannot.
 */
bool recovery_of_own(struct atmost *object, unsigned id);

/*
 * A living member that is entrusted may leave while a recoverer finds that its
 * process has ended: so it keeps recoverers away.  False: it has been recovered.
 */
struct recovery_exclusion {
	bool taken;
	struct quiet before;
};

bool recovery_exclude(struct atmost *object, unsigned id, uint64_t badge,
		      struct recovery_exclusion *exclusion);
void recovery_allow(struct atmost *object, unsigned id,
		    const struct recovery_exclusion *exclusion);

/* Declares the holder of a slot dead whose death cannot be decided: 0,
 * ATMOST_EBUSY (it is alive), ATMOST_ENOTFOUND, or another error. */
int recovery_force(struct atmost *object, unsigned slot);

/* Those inside: places to look at, and the id that is at one; -1: nobody. */
unsigned recovery_places(const struct atmost *object);
int recovery_inside_at(const struct atmost *object, unsigned place);

#endif
