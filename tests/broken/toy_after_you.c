/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-after-you: a process raises its flag; if another flag is up, it lowers
 * its own and tries again.
 *
 * Refused by no-deadlock: two processes can raise and lower their flags for
 * ever (a livelock).  at-most-k and bounded-leave hold.
 */
#include "algorithm.h"
#include "after_you.h"

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_after_you = {
	.name = "toy-after-you",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .leave_steps = one_step },
};
