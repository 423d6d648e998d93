/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-fidget: a waiter never sleeps, so no process need wake it.
 *
 * Not broken: all its promises hold.  Refused by no-starvation if passages are
 * unbounded or a process can crash inside, because another process can then try
 * for ever.
 */
#include "algorithm.h"

enum { DOOR = 0 };

#include "fidget.h"

const struct algorithm toy_fidget = {
	.name = "toy-fidget",
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
