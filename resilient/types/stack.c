/* SPDX-License-Identifier: BSD-2-Clause */
/* Defines the stack: last in, first out. */
#include "resilient/types/types.h"

struct stack {
	uint64_t depth;
	uint64_t value[]; /* the oldest value first */
};

enum { HEAD = sizeof(struct stack) / sizeof(uint64_t), EACH = 1 };

static void push(struct stack *s, uint64_t room, uint64_t value,
		 uint64_t *result)
{
	if (s->depth == room) {
		answer(result, false, 0);
		return;
	}
	s->value[s->depth] = value;
	s->depth++;
	answer(result, true, value);
}

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	struct stack *s = state;
	const uint64_t room = room_in(size, HEAD, EACH);

	answer(result, false, 0);
	if (room == 0)
		return;
	s->depth = at_most(s->depth, room);
	if (operation == ATMOST_STACK_PUSH) {
		push(s, room, argument[0], result);
	} else if (operation == ATMOST_STACK_DEPTH) {
		answer(result, true, s->depth);
	} else if (s->depth > 0) { /* ATMOST_STACK_POP or ATMOST_STACK_PEEK */
		answer(result, true, s->value[s->depth - 1]);
		if (operation == ATMOST_STACK_POP)
			s->depth--;
	}
}

struct atmost_object_type atmost_stack_type(unsigned capacity)
{
	return (struct atmost_object_type){
		.name = "stack",
		.size = size_for(capacity, HEAD, EACH),
		.apply = apply,
		.operations = ATMOST_STACK_DEPTH,
		.arguments = 1,
		.results = 2,
	};
}
