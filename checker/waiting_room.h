/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who waits for a change of which word, so that a change finds them at once:
 * asking each of a thousand waiters what it watches would cost more than all
 * their steps.
 */
#ifndef ATMOST_CHECKER_WAITING_ROOM_H
#define ATMOST_CHECKER_WAITING_ROOM_H

#include "memory/simulated/simulated.h"

struct waiting_room {
	uint32_t *first; /* of each word: 1 + number of a ticket; 0: nobody */
	struct ticket *ticket; /* room of these for each process */
	size_t room;
	uint32_t *tickets;  /* each process has; 0: it does not wait */
	unsigned *released; /* by the last change */
	unsigned released_count;
};

/* room: words a process may wait for at once. */
bool waiting_room_open(struct waiting_room *r, size_t room);
void waiting_room_close(struct waiting_room *r);

/* p waits for a change of what its errand watches. */
void waiting_room_enter(struct waiting_room *r, unsigned p);

/* p waits no more, though nothing has changed. */
void waiting_room_leave(struct waiting_room *r, unsigned p);

/* The step just made has changed words: who waited for one is released. */
void waiting_room_release(struct waiting_room *r);

#endif
