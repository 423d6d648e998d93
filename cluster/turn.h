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
 * Each of the two writes the fields of struct remote_member that belong to it
 * before it changes the word, and reads the other's afterwards.
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
 * run.  No cancellation point. */
void turn_sleep(const uint32_t *word, enum turn seen, int64_t until);

#endif
