/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-nameless: toy-fidget, but its table does not say that it retries.
 *
 * Refused by the checker itself: without `retries` it does not look for cycles,
 * and a poll that names no word to sleep on could be repeated for ever.
 */
#include "algorithm.h"

enum { DOOR = 0 };

#include "fidget.h"

const struct algorithm toy_nameless = {
	.name = "toy-nameless",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | NO_DEADLOCK | BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
};
