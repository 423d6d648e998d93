/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-no-alarm: toy-drowsy, but its table does not say that it naps.
 *
 * Refused by no-deadlock and no-starvation; its other promises hold.
 */
#include "algorithm.h"

static bool second_look(const struct wait_set *wait)
{
	return wait_slept(wait);
}

#include "drowsy.h"

const struct algorithm toy_no_alarm = {
	.name = "toy-no-alarm",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | UNIQUE_SLOTS | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.tolerates_crashes = true,
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
};
