/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undoing everything that a dead member began.
 *
 * A recoverer holds LOCK_RECOVERY of the member, and the pool's lock among the
 * threads of its process: so no other recoverer works on the member.  It sets
 * STATE_RECOVERING in the record once the death is certain.  If the recoverer
 * dies, the kernel releases its file lock, and the next recoverer begins anew.
 */
#ifndef ATMOST_RUNTIME_RECOVERY_H
#define ATMOST_RUNTIME_RECOVERY_H

#include "runtime/pool.h"

/* False: the algorithm cannot recover this member if it is dead. */
bool recovery_is_possible(const struct atmost *pool, unsigned id);

/*
 * Recovers a member that was dead when its record had this state.  Returns 0;
 * ATMOST_EBUSY if another recoverer is at work or has been, or if there is no
 * memory; or another error.
 */
int recovery_of_dead(struct atmost *pool, unsigned id, uint64_t state);

/*
 * Undoes everything that a member of this ending thread began.  False: the
 * algorithm cannot, or there is no memory.
 */
bool recovery_of_own(struct atmost *pool, unsigned id);

/*
 * An entrusted member may leave while a recoverer finds that the entrusted
 * process has ended: so the leaver keeps recoverers away until it has left.
 * False: the member has been recovered.
 */
struct recovery_exclusion {
	bool taken;
	struct quiet before;
};

bool recovery_exclude(struct atmost *pool, unsigned id, uint64_t badge,
		      struct recovery_exclusion *exclusion);
void recovery_allow(struct atmost *pool, unsigned id,
		    const struct recovery_exclusion *exclusion);

#endif
