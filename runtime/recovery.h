/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undoes everything that a dead member began.
 *
 * A recoverer holds two locks: the member's file lock LOCK_RECOVERY, which
 * excludes other processes, and the pool's `lock`, which excludes the other
 * threads of its process.  So a member has only one recoverer at a time.  The
 * recoverer sets STATE_RECOVERING in the record once the death is certain.  If
 * the recoverer dies, the kernel releases its file lock, and the next recoverer
 * starts again.
 */
#ifndef ATMOST_RUNTIME_RECOVERY_H
#define ATMOST_RUNTIME_RECOVERY_H

#include "runtime/pool.h"

/*
 * Returns whether this process could recover the member if the member were
 * dead.
 */
bool recovery_is_possible(const struct atmost *pool, unsigned id);

/*
 * Recovers a member that was found dead while the state in its record was
 * `state`.  Returns 0 on success, or ATMOST_EBUSY if another recoverer is
 * recovering the member or has recovered it, or if there is no memory.  May
 * also return another error.
 */
int recovery_of_dead(struct atmost *pool, unsigned id, uint64_t state);

/*
 * Undoes everything that a member of this ending thread began.  Returns false
 * if the algorithm cannot recover, or if there is no memory.
 */
bool recovery_of_own(struct atmost *pool, unsigned id);

/*
 * An entrusted member may leave at the moment when a recoverer finds that the
 * entrusted process has ended.  So the member calls recovery_exclude before it
 * leaves and recovery_allow afterwards: in between, no recoverer works on the
 * member.  recovery_exclude returns false if a recoverer has already declared
 * the member dead.
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
