/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adaptive-mutex: an abortable mutex, first come first served, whose cost
 * adapts to contention: O(min(c, log n)).
 *
 * Idea      tree-mutex over a tree that is not balanced.  A chain of
 *           ceil(log2 n) seats is above the balanced tree of leaves; seat i is
 *           at depth i + 1.  A process takes the first seat that it finds free.
 *           If all seats are taken, it uses its own leaf.  If c processes
 *           compete, the seats of these processes are among the first c.
 * Source    ours, with the idea of Jayanti, "Adaptive and efficient abortable
 *           mutual exclusion", PODC 2003, that names should depend on
 *           contention; labels ours
 * Shape     k = 1, 1 <= n <= 65534
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           bounded-leave; exit-termination; bounded-abort; no-lost-wake;
 *           prompt-wake; quiescence; invariant; with aborts
 * Costs     3n + 1 + 2L words, where L = ceil(log2 n); at contention c, DSM 21c
 *           + 36 RMRs if c <= L, else 45L + 37; CC 2 more with a smart cache,
 *           otherwise n + 1 more
 * Invariant The invariant of tree-mutex: while p is registered, the root names
 *           a request that is not younger than p's request; the root never
 *           names a process that has no request; the process inside is the
 *           owner.
 */
#include "algorithm.h"
#include "seat_tree.h"
#include "registry_mutex.h"

/*
 * An aborted passage costs most; all its steps count except T3 and the reads of
 * GO, which are local.  34 of the steps are outside the registry.  A process
 * that takes seat i makes T4t, i + 1 times T4s, and later T7s.  After the last
 * T4s and after T7s it refreshes i + 1 spine nodes, each in at most ten steps.
 */
static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	uint64_t most = levels(shape), c = contention;

	return c <= most ? 21 * c + 36 : 45 * most + 37;
}

/* In the CC model T3 and one read of GO are remote as well. */
static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	return rmr_dsm(shape, contention) + 2;
}

/* While we wait, each other process may make one late K4, for an earlier
 * passage of ours; after each of these K4 we read GO once more. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return rmr_cc_smart(shape, contention) + shape->n - 1;
}

const struct algorithm adaptive_mutex = {
	.name = "adaptive-mutex",
	.source = "ours, after Jayanti 2003",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_CAS,
	.limits = { .least_n = 1, .most_n = 65534, .least_k = 1, .most_k = 1 },
	.words = words, .own_words = own_words, .init = init, .quiet = quiet,
	.invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { rmr_cc, "21c+n+37 at contention c <= L = "
				    "ceil(log2 n), else 45L+n+38" },
		.rmr_cc_smart = { rmr_cc_smart, "21c+38 at contention c <= L = "
						"ceil(log2 n), else 45L+39" },
		.rmr_dsm = { rmr_dsm, "21c+36 at contention c <= L = "
				      "ceil(log2 n), else 45L+37" },
	},
};
