/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bakery-mutex: an abortable mutex from single-writer reads and writes.
 *
 * Idea      With k = 1 the k-bakery is a mutex, first come first served.
 * Source    Danek, "The k-Bakery", PODC 2010, Figure 2; giving up is ours.
 * Shape     k = 1, any n
 * Promises  those of k-bakery; fcfs
 * Costs     those of k-bakery: n + n*n words; DSM 4(n-1) RMRs, CC 8(n-1)+1
 * Invariant the invariant of k-bakery
 */
#include "algorithm.h"

static bool fits(const struct algorithm *component)
{
	return component->kind == KIND_K_EXCLUSION && component->abort &&
	       component->promises & K_FCFS &&
	       component->primitives == USES_READ_WRITE;
}

static size_t component_at(const struct shape *shape)
{
	(void)shape;
	return 0;
}

/* The algorithm is its component under another name and with k = 1. */
static void compose(struct algorithm *whole)
{
	struct algorithm mutex = *whole->composition.component;

	mutex.name = whole->name;
	mutex.source = whole->source;
	mutex.kind = whole->kind;
	mutex.promises |= FCFS;
	mutex.tolerates_crashes = false; /* k - 1 is 0: the promise would say
					    nothing */
	mutex.limits.most_k = 1;
	mutex.composition = whole->composition;
	*whole = mutex;
}

const struct algorithm bakery_mutex = {
	.name = "bakery-mutex",
	.source = "Danek 2010, Figure 2 with k = 1",
	.kind = KIND_ABORTABLE,
	.composition = {
		.default_component = "k-bakery", .fits = fits,
		.compose = compose, .at = component_at,
	},
};
