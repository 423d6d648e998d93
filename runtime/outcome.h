/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The last tagged operation of each member of a shared object, and the outcomes
 * of the operations of dead members.
 *
 *	member                  recoverer               process that asks
 *	tag, not done           finish; leave an
 *	apply                   outcome unless there
 *	results, done           is one; tag 0           ready: asked
 *	give the name back      give the name back
 *
 * A dead member had begun its operation, or had completed it and done nothing
 * since.  No process can say whether the member's caller saw the results: in
 * both cases the recoverer leaves an outcome.  If the recoverer dies, the next
 * recoverer begins anew: it finds the outcome that the first recoverer left, or
 * leaves the same outcome.
 *
 * No process waits for another here.  An outcome that is overwritten while it
 * is written or read has a wrong sum and is ignored.
 */
#ifndef ATMOST_RUNTIME_OUTCOME_H
#define ATMOST_RUNTIME_OUTCOME_H

#include "runtime/pool.h"

/* Member id begins an operation; tag 0: no process will ask for its outcome. */
void outcome_begin(struct atmost *pool, unsigned id, uint64_t tag);

/* The operation has taken effect; the member has not given its name back. */
void outcome_done(struct atmost *pool, unsigned id, const uint64_t *result);

/* Forgets the last operation of member id.  The caller holds the member's file
 * lock or its recovery lock. */
void outcome_forget(struct atmost *pool, unsigned id);

/*
 * Finishes the operation of the dead victim, and leaves its outcome.  The
 * caller holds the recovery lock and has not given the victim's name back.
 * False: no memory.
 */
bool outcome_settle(struct atmost *pool, struct process *victim);

/* 0, ATMOST_EASKED or ATMOST_ECORRUPT; ATMOST_EBUSY: the member with this tag
 * is alive, or not yet recovered; ATMOST_ENOTFOUND: no member had the tag. */
int outcome_take(struct atmost *pool, uint64_t tag, bool *happened,
		 uint64_t *result);

#endif
