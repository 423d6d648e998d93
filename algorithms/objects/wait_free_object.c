/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wait-free-object: a counter for processes each of which has its own name;
 * they announce operations, copy the state and publish the copy.
 *
 * Idea      A process announces its operation, applies all announced operations
 *           to a copy of the state, and publishes the copy.  Two attempts are
 *           enough: a process that makes our second attempt fail has applied
 *           our operation too.
 * Source    Fatourou and Kallimanis, "A highly-efficient wait-free universal
 *           construction", SPAA 2011, modified; the line numbers are ours.
 * Shape     1 <= n <= 2047; the names are the ids
 * Promises  linearizable; bounded-apply; no-starvation with n-1 crashes;
 *           quiescence; invariant; all with recovered deaths
 * Costs     1+T+6n+(2n+1)(n+T+2) words, T = ceil(n/64); 8n+6T+21 RMRs
 * Invariant The published record is whole.  f was never called with a torn
 *           state or with an operation that was not announced.
 */
#include "algorithm.h"

/* The operation is fetch-and-add. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)operation;
	*state += argument;
	return before;
}

#include "by_id.h"
#include "wait_free_construction.h"

static uint64_t remote(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return apply_steps(shape);
}

const struct algorithm wait_free_object = {
	.name = "wait-free-object",
	.source = "after Fatourou and Kallimanis 2011 (P-Sim)",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | NO_STARVATION | BOUNDED_APPLY | LINEARIZABLE |
		    QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .most_n = MOST_NAMES },
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.invariant = invariant,
	.recover = recover,
	.object = {
		.apply = apply, .finish = finish,
		.specification = specification, .operations = 1,
		.construction = &wait_free_construction,
	},
	.bounds = {
		.apply_steps = apply_steps, .finish_steps = finish_steps,
		.rmr_cc = { remote, "8n+6T+21, T = ceil(n/64)" },
		.rmr_dsm = { remote, "8n+6T+21, T = ceil(n/64)" },
	},
};
