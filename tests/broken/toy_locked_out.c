/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-locked-out: toy-fidget whose word is never 0.
 *
 * Refused by no-deadlock and no-starvation, as a livelock: all processes can
 * make steps for ever.
 */
#include "algorithm.h"

enum { DOOR = 1 };

#include "fidget.h"

const struct algorithm toy_locked_out = {
	.name = "toy-locked-out",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | NO_DEADLOCK | BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.retries = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
};
