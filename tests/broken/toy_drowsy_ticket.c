/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-drowsy-ticket: a waiter may notice its turn only after a nap.
 *
 * Not broken if sleepers nap.  fife holds too, because an overtaken waiter is
 * enabled: it would enter if its nap ended.
 */
#include "algorithm.h"

static bool second_look(const struct wait_set *wait)
{
	return wait_slept(wait);
}

#include "drowsy_ticket.h"

const struct algorithm toy_drowsy_ticket = {
	.name = "toy-drowsy-ticket",
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
