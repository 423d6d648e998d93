/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-underpriced: it excludes no process, and a passage costs more RMRs than
 * its table says.
 *
 * A passage is a compare-and-swap that fails, and then two reads.  Another
 * process may make its failing compare-and-swap between the two reads; if a
 * failed compare-and-swap invalidates copies, the second read is remote too.
 * The measured cost is above the bound in CC (3, the bound is 2) and in DSM (3,
 * the bound is 2).  With a smart cache the cost is within the bound.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "door");
}

static int enter(void *shared, struct process *self)
{
	struct word *door = shared;

	(void)self;
U1:	(void)mem_cas(door, 1, 2);
U2:	(void)mem_read(door);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct word *door = shared;

	(void)self;
U3:	(void)mem_read(door);
}

static uint64_t two(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 2;
}

const struct algorithm toy_underpriced = {
	.name = "toy-underpriced",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = NO_DEADLOCK,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = {
		.rmr_cc = { two, "2, which is too little" },
		.rmr_cc_smart = { two, "2" },
		.rmr_cc_amortised = { two, "2, which is too little without a "
					   "smart cache" },
		.rmr_dsm = { two, "2, which is too little" },
	},
};
