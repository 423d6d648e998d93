/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In a sweep a process looks at the members of a pool and recovers the dead
 * ones.
 */
#ifndef ATMOST_RUNTIME_SWEEP_H
#define ATMOST_RUNTIME_SWEEP_H

#include "runtime/pool.h"

/* A member that will be dead as soon as its process has closed its files.  The
 * pidfd becomes readable at that moment; it is -1 if there is no such
 * member. */
struct sweep_dying {
	int pidfd;
	unsigned id;
	uint64_t state;
};

/*
 * Each of the next four functions returns how many members it recovered.
 * Unless `dying` is NULL, the function stores in *dying the first dying member
 * that it finds, for sweep_dying.
 *
 * sweep_hinted   looks at the members for which death_is_hinted is true; also
 *                completes a resize that a dead process began
 * sweep_all      does the same for every member
 * sweep_holders  looks only at those hinted members that hold a slot: these are
 *                few
 * sweep_hinted_and_holders
 *                does the same as sweep_hinted, and looks at all holders
 */
unsigned sweep_hinted(struct atmost *pool, struct sweep_dying *dying);
unsigned sweep_all(struct atmost *pool, struct sweep_dying *dying);
unsigned sweep_holders(struct atmost *pool, struct sweep_dying *dying);
unsigned sweep_hinted_and_holders(struct atmost *pool,
				  struct sweep_dying *dying);

/* Recovers the dying member if it is dead by now, and closes the pidfd.
 * `ended` says that the member's process has ended.  Returns 1 if it has
 * recovered the member, else 0. */
unsigned sweep_dying(struct atmost *pool, struct sweep_dying *dying,
		     bool ended);

/* Returns true if a member will be recovered soon, because it is dying or
 * because another process is recovering it. */
bool sweep_is_pending(struct atmost *pool);

#endif
