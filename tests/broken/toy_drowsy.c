/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-drowsy: a waiter may miss that a slot is free, and finds the slot after a
 * nap.
 *
 * Not broken if sleeping waiters nap, that is, wake up after a time.  Refused
 * by no-lost-wake, which assumes that they do not nap.
 */
#include "algorithm.h"

static bool second_look(const struct wait_set *wait)
{
	return wait_slept(wait);
}

#include "drowsy.h"

const struct algorithm toy_drowsy = {
	.name = "toy-drowsy",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | UNIQUE_SLOTS | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.tolerates_crashes = true,
	.naps = true,
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
};
