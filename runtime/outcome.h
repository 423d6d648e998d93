/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What becomes of operations that their users have tags for: the last one of
 * each member, and the outcomes of those who died.
 *
 *	member                  who recovers it         who asks
 *	tag, not done           finish; if there is
 *	apply                   none of this tag, an
 *	results, done           outcome; tag 0          ready: asked
 *	give the name back      give the name back
 *
 * So a member that is dead was at its operation, or had done it and nothing
 * since, and nobody can say whether its user has heard of it: in both cases
 * there is an outcome.  Who recovers dies and another begins anew: it finds the
 * outcome that the first one left, or leaves the same.
 *
 * Nobody waits for anybody here.  An outcome that is overwritten while it is
 * written or read does not add up, and is none.
 */
#ifndef ATMOST_RUNTIME_OUTCOME_H
#define ATMOST_RUNTIME_OUTCOME_H

#include "runtime/member.h"

/* The member begins an operation; tag 0: nobody will ask for it. */
void outcome_begin(struct atmost_member *me, uint64_t tag);

/* It has taken effect; the name is still ours. */
void outcome_done(struct atmost_member *me, const uint64_t *result);

/* What a member of this id did is forgotten; the caller has its life lock. */
void outcome_forget(struct atmost *object, unsigned id);

/*
 * Finishes what the dead victim was at, and leaves the outcome.  The caller has
 * its life lock and has not given back its name.  False: no memory.
 */
bool outcome_settle(struct atmost *object, struct process *victim);

/* 0, ATMOST_EASKED, ATMOST_ECORRUPT; ATMOST_EBUSY: who has the tag lives, or has
 * not been recovered; ATMOST_ENOTFOUND: nobody has it. */
int outcome_take(struct atmost *object, uint64_t tag, bool *happened,
		 uint64_t *result);

#endif
