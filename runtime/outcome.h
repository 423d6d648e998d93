/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records the last tagged operation of each member of a shared object, and the
 * outcomes of the operations of dead members.
 *
 *	member                  recoverer               process that asks
 *	write tag, done = 0     finish the operation    take the outcome:
 *	apply the operation     leave an outcome,       its phase changes
 *	write results,          unless there is one     from ready to asked
 *	done = 1                write tag 0
 *	give the name back      give the name back
 *
 * A dead member either had begun its last operation, or had completed it and
 * had not begun another.  In the second case no process can say whether the
 * member's caller saw the results.  So the recoverer leaves an outcome in both
 * cases.  If the recoverer dies, the next recoverer starts again: it finds the
 * outcome that the first recoverer left, or leaves the same outcome.
 *
 * No process waits for another process here.  If a younger outcome overwrites
 * an outcome while a process writes or reads it, the checksum is wrong, and
 * readers ignore the outcome.
 */
#ifndef ATMOST_RUNTIME_OUTCOME_H
#define ATMOST_RUNTIME_OUTCOME_H

#include "runtime/pool.h"

/*
 * Records that member `id` begins an operation with this tag.  If tag is 0, no
 * process will ask for the outcome of the operation.
 */
void outcome_begin(struct atmost *pool, unsigned id, uint64_t tag);

/* To be called when the operation has taken effect, before the member gives its
 * name back. */
void outcome_done(struct atmost *pool, unsigned id, const uint64_t *result);

/* Forgets the last operation of member id.  The caller holds the member's file
 * lock or its recovery lock. */
void outcome_forget(struct atmost *pool, unsigned id);

/*
 * Finishes the operation of the dead victim, and leaves its outcome.  The
 * caller holds the recovery lock and has not given the victim's name back.
 * Returns false if there is no memory.
 */
bool outcome_settle(struct atmost *pool, struct process *victim);

/*
 * Takes the outcome of the operation with this tag.  Returns 0 or an error:
 *
 * ATMOST_EASKED     a process has asked for this outcome before
 * ATMOST_EBUSY      the operation's member is alive, or not yet recovered
 * ATMOST_ENOTFOUND  no outcome and no member has the tag
 * ATMOST_ECORRUPT
 */
int outcome_take(struct atmost *pool, uint64_t tag, bool *happened,
		 uint64_t *result);

#endif
