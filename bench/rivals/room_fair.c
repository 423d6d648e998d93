/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The room of room_batch.c, with a mutex that workers take in order of arrival.
 * So no caller is overtaken before it queues.
 */
#include <stdbool.h>

/* `kept` is the number of waiters before this one that were not let in. */
static bool joins(unsigned kept)
{
	(void)kept;
	return true;
}

enum { FAIR = true };

#include "bench/rivals/room.h"

const struct rival rival_room_fair = {
	.name = "room-fair",
	.size = size,
	.open = open_room,
	.close = close_room,
	.enter = enter,
	.leave = leave,
};
