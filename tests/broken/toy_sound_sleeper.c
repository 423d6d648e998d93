/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-sound-sleeper: toy-drowsy whose waiters do not look again after a nap.
 *
 * Refused by no-deadlock and no-starvation; its other promises hold.
 */
#include "algorithm.h"

static bool second_look(const struct wait_set *wait)
{
	(void)wait;
	return false;
}

#include "drowsy.h"

const struct algorithm toy_sound_sleeper = {
	.name = "toy-sound-sleeper",
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
