/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-endless-settle: a process that was admitted settles for ever.
 *
 * Refused by no-starvation and no-deadlock; bounded-doorway and bounded-leave
 * hold, because the doorway ends before the process settles.
 */
#include "algorithm.h"
#include "endless.h"

static void settle(void *shared, struct process *self)
{
	(void)self;
	spin(shared);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_endless_settle = {
	.name = "toy-endless-settle",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.words = words, .init = init, .doorway = doorway, .poll = poll,
	.leave = leave, .settle = settle,
	.bounds = { .doorway_steps = one_step },
};
