/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a counter with the construction of wait-free-object.  A process can
 * also read the counter without announcing an operation.  Before a file
 * includes this header, it defines `reads_well`, which says whether the process
 * accepts the value that it read.
 */
#ifndef ATMOST_COUNTER_READER_H
#define ATMOST_COUNTER_READER_H

/* Operation 0 adds, operation 1 reads. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	*state += operation == 0 ? argument : 0;
	return before;
}

#include "objects/by_id.h"

static uint64_t apply_or_read(void *shared, struct process *self)
{
	struct object o = by_id(shared, self->shape, NULL);
	uint64_t state[STATE] = { 0 };
	bool again = false;

	if (self->operation == 0)
		return apply(shared, self);
	do
		wait_free_read(&o, 0, STATE, state, &again);
	while (!reads_well(again));
	return state[1] == 2 * state[0] ? state[0] : SPOILT;
}

#endif
