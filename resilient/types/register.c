/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines the register: a word with the operations read, write, add, and
 * compare-and-swap.
 */
#include "resilient/types/types.h"

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	uint64_t *word = state;
	uint64_t before;

	answer(result, false, 0);
	if (size < sizeof *word)
		return;
	before = *word;
	answer(result, true, before);
	switch (operation) {
	case ATMOST_REGISTER_WRITE:
		*word = argument[0];
		break;
	case ATMOST_REGISTER_ADD:
		*word = before + argument[0];
		break;
	case ATMOST_REGISTER_COMPARE_SWAP:
		if (before == argument[0])
			*word = argument[1];
		else
			answer(result, false, before);
		break;
	default: /* ATMOST_REGISTER_READ */
		break;
	}
}

struct atmost_object_type atmost_register_type(void)
{
	return (struct atmost_object_type){
		.name = "register",
		.size = sizeof(uint64_t),
		.apply = apply,
		.operations = ATMOST_REGISTER_COMPARE_SWAP,
		.arguments = 2,
		.results = 2,
	};
}
