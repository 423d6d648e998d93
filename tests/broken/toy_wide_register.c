/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-wide-register: process 0 writes a safe register of 255 values, and each
 * of the other processes reads it once.
 *
 * Not broken.  With four processes, three reads can overlap the write in one
 * state; this state has more transitions than the checker can store.
 */
#include "algorithm.h"

enum { VALUES = 255 };

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	uint64_t values[VALUES];

	(void)shape;
	for (unsigned i = 0; i < VALUES; i++)
		values[i] = i;
	mem_name((struct word *)shared, "wide");
	mem_safe_domain((struct word *)shared, values, VALUES);
}

static int enter(void *shared, struct process *self)
{
	struct word *wide = shared;

	if (self->id == 0)
R1:		safe_write(wide, 0);
	else
R2:		(void)safe_read(wide);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_wide_register = {
	.name = "toy-wide-register",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = NO_DEADLOCK,
	.primitives = USES_SAFE,
	.finite_state = true,
	.words = words, .init = init, .enter = enter, .leave = leave,
};
