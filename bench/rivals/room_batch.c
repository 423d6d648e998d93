/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A room by batches: with the oldest waiter go all that wait for its session,
 * past whoever waits for another.  Who comes later waits for the next batch.
 */
#include <stdbool.h>

/* kept: how many before it in the queue were not let in. */
static bool joins(unsigned kept)
{
	(void)kept;
	return true;
}

enum { FAIR = false };

#include "bench/rivals/room.h"

const struct rival rival_room_batch = {
	.name = "room-batch",
	.size = size,
	.open = open_room,
	.close = close_room,
	.enter = enter,
	.leave = leave,
};
