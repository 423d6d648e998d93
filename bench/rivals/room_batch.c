/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A room with batches: the oldest waiter enters together with all waiters of
 * its session, which overtake the waiters of other sessions.  Later callers
 * wait for the next batch.
 */
#include <stdbool.h>

/* `kept` is the number of waiters before this one that were not let in. */
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
