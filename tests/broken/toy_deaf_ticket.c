/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-deaf-ticket: toy-drowsy-ticket whose waiters do not read again after a
 * nap.
 *
 * Refused by no-deadlock and no-starvation, and for k > 1 by fife; at-most-k
 * and k-fcfs hold.
 */
#include "algorithm.h"

static bool second_look(const struct wait_set *wait)
{
	(void)wait;
	return false;
}

#include "drowsy_ticket.h"

const struct algorithm toy_deaf_ticket = {
	.name = "toy-deaf-ticket",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | K_FCFS | FIFE | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.tolerates_crashes = true,
	.naps = true,
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
	.bounds = { .leave_steps = two_steps, .solo_steps = two_steps },
};
