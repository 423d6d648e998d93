/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A room strictly in order of arrival: the waiters right behind the oldest one
 * enter with it, up to the first of another session.
 */
#include <stdbool.h>

/* kept: how many waiters before this one were not let in. */
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
