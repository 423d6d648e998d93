/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree-mutex: an abortable mutex, first come first served, with logarithmic
 * cost.
 *
 * Idea      A registry, which is a tree of minima over the requests, names the
 *           oldest request at its root.  A process that has changed the
 *           registry looks whether there is an owner.  If not, it appoints the
 *           process that the root names, and tells it.
 * Source    ours, in the style of Jayanti, "Adaptive and efficient abortable
 *           mutual exclusion", PODC 2003; labels ours
 * Shape     k = 1, 1 <= n <= 65534
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           bounded-leave; exit-termination; bounded-abort; no-lost-wake;
 *           prompt-wake; quiescence; invariant; with aborts
 * Costs     3n+1 words; DSM 24 ceil(log2 n)+36 RMRs; CC 24 ceil(log2 n)+38 with
 *           a smart cache, otherwise n-1 more
 * Invariant While p is registered, the root names a request, and the token of
 *           that request is not larger than the token of p.  The root never
 *           names a process that has no request.  The process inside is the
 *           owner.
 */
#include "algorithm.h"
#include "registry_tree.h"
#include "registry_mutex.h"

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 24 * (uint64_t)levels(shape) + 36;
}

static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	return rmr_dsm(shape, contention) + 2;
}

/* Each other process may be late with one K4, for an earlier passage of the
 * waiter: only a process that made K2 before the waiter's T3 can fail at K4
 * while the waiter is not told. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return rmr_cc_smart(shape, contention) + shape->n - 1;
}

/* Processes compare tokens by their order, and versions for equality. */
static bool counter(const struct shape *shape, unsigned number,
		    struct counter *rule)
{
	if (number == TOKEN)
		*rule = (struct counter){ .gap = 2, .shift = { 1 } };
	else
		*rule = (struct counter){ .gap = 1, .shift = { NAME_BITS } };
	return number < VERSION + shape->n - 1;
}

const struct algorithm tree_mutex = {
	.name = "tree-mutex",
	.source = "ours, after Jayanti 2003",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_CAS,
	.counter = counter,
	.limits = { .least_n = 1, .most_n = 65534, .least_k = 1, .most_k = 1 },
	.words = words, .own_words = own_words, .init = init, .quiet = quiet,
	.invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { rmr_cc, "24 ceil(log2 n)+n+37" },
		.rmr_cc_smart = { rmr_cc_smart, "24 ceil(log2 n)+38" },
		.rmr_dsm = { rmr_dsm, "24 ceil(log2 n)+36" },
	},
};
