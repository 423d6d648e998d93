/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The word by which a member and its thread of libatmost-etcd, the server, hand
 * the passage to each other.
 *
 *	member                            server
 *	OUTSIDE  -> ENTERING              ENTERING -> INSIDE, FAILED
 *	FAILED   -> OUTSIDE
 *	ENTERING -> CANCELED              CANCELED -> OUTSIDE
 *	INSIDE   -> LEAVING               LEAVING  -> OUTSIDE
 *	any      -> ENDING
 *
 * The member and the server each write their own fields of struct remote_member
 * before they change the word.  Each reads the fields of the other only after
 * the other has changed the word.
 */
#ifndef ATMOST_CLUSTER_TURN_H
#define ATMOST_CLUSTER_TURN_H

#include <stdbool.h>
#include <stdint.h>

enum turn {
	TURN_OUTSIDE,
	TURN_ENTERING,
	TURN_CANCELED, /* the member no longer waits for the server */
	TURN_INSIDE,
	TURN_FAILED,
	TURN_LEAVING,
	TURN_ENDING /* the member parts */
};

enum turn turn_read(const uint32_t *word);

/* Changes the word and wakes its waiter.  turn_change returns false, and changes
 * nothing, if the word is not `from`. */
void turn_set(uint32_t *word, enum turn to);
bool turn_change(uint32_t *word, enum turn from, enum turn to);

/* Sleeps while the word is `seen`: until it changes, the moment has come
 * (CLOCK_MONOTONIC in nanoseconds; INT64_MAX: never), or a signal handler has
 * run.  turn_sleep is not a cancellation point. */
void turn_sleep(const uint32_t *word, enum turn seen, int64_t until);

#endif
