/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A room strictly in order of arrival: the oldest waiter enters together with
 * the waiters right behind it, up to the first waiter of another session.
 */
#include <stdbool.h>

/* `kept` is the number of waiters before this one that were not let in. */
static bool joins(unsigned kept)
{
	return kept == 0;
}

enum { FAIR = false };

#include "bench/rivals/room.h"

const struct rival rival_room_fcfs = {
	.name = "room-fcfs",
	.size = size,
	.open = open_room,
	.close = close_room,
	.enter = enter,
	.leave = leave,
};
