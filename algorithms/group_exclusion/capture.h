/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the common part of the four reductions with captures, in which a
 * waiter can also enter after another process of its session has captured it.
 * The including file defines is_captured and outside_dsm.
 */
#ifndef ATMOST_CAPTURE_H
#define ATMOST_CAPTURE_H

#include "reduction.h"

/* Returns whether the waiter was captured in this passage.  If it was not, adds
 * to `wait` the word that a capture changes. */
static bool is_captured(void *shared, struct process *self,
			struct wait_set *wait);

static uint64_t outside_dsm(const struct shape *shape, unsigned contention);

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	return (is_conflict_free(self) || A_poll(shared, self, wait) ||
		barricades_are_down(shared, self, wait) ||
		is_captured(shared, self, wait)) &&
	       qualifies(self);
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	return outside_dsm(shape, contention) + below_rmr_dsm(shape);
}

#endif
