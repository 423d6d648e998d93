/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-endless-recover: the recovery of a dead process never ends.
 *
 * Refused by no-starvation and no-deadlock if a process dies; bounded-leave
 * holds.
 */
#include "algorithm.h"
#include "endless.h"

static void recover(void *shared, struct process *victim)
{
	(void)victim;
	spin(shared);
}

const struct algorithm toy_endless_recover = {
	.name = "toy-endless-recover",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.words = words, .init = init, .doorway = doorway, .poll = poll,
	.leave = leave, .recover = recover,
};
