/* SPDX-License-Identifier: BSD-2-Clause */
/* Defines the counter: a number modulo 2^64. */
#include "resilient/types/types.h"

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	uint64_t *number = state;

	result[0] = 0;
	if (size < sizeof *number)
		return;
	result[0] = *number;
	if (operation == ATMOST_COUNTER_ADD)
		*number += argument[0];
}

struct atmost_object_type atmost_counter_type(void)
{
	return (struct atmost_object_type){
		.name = "counter",
		.size = sizeof(uint64_t),
		.apply = apply,
		.operations = ATMOST_COUNTER_READ,
		.arguments = 1,
		.results = 1,
	};
}
