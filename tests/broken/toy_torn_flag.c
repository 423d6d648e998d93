/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-torn-flag: process 0 writes a safe register, and the other processes wait
 * until they read 0 from it.  The register is always 0, except that a read that
 * overlaps the write may return 1.
 *
 * Refused by no-starvation with a crash: process 0 may stop in the middle of
 * its write, and after that the other processes may read 1 for ever.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	static const uint64_t values[] = { 0, 1 };

	(void)shape;
	mem_name((struct word *)shared, "flag");
	mem_safe_domain((struct word *)shared, values, 2);
}

static int enter(void *shared, struct process *self)
{
	struct word *flag = shared;
	uint64_t v;

	if (self->id == 0)
R1:		safe_write(flag, 0);
	else
R2:		await_safe(v, flag, v == 0);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_torn_flag = {
	.name = "toy-torn-flag",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION,
	.primitives = USES_SAFE,
	.finite_state = true,
	.words = words, .init = init, .enter = enter, .leave = leave,
};
