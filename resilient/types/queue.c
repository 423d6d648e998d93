/* SPDX-License-Identifier: BSD-2-Clause */
/* Defines the queue: first in, first out, in a ring buffer. */
#include "resilient/types/types.h"

struct queue {
	uint64_t first;  /* the index of the oldest value */
	uint64_t length; /* number of values; they wrap around to index 0 */
	uint64_t value[];
};

enum { HEAD = sizeof(struct queue) / sizeof(uint64_t), EACH = 1 };

static void put(struct queue *q, uint64_t room, uint64_t value,
		uint64_t *result)
{
	if (q->length == room) {
		answer(result, false, 0);
		return;
	}
	q->value[(q->first + q->length) % room] = value;
	q->length++;
	answer(result, true, value);
}

static void take(struct queue *q, uint64_t room, uint64_t *result)
{
	if (q->length == 0) {
		answer(result, false, 0);
		return;
	}
	answer(result, true, q->value[q->first]);
	q->first = (q->first + 1) % room;
	q->length--;
}

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	struct queue *q = state;
	const uint64_t room = room_in(size, HEAD, EACH);

	answer(result, false, 0);
	if (room == 0)
		return;
	q->first %= room;
	q->length = at_most(q->length, room);
	if (operation == ATMOST_QUEUE_PUT)
		put(q, room, argument[0], result);
	else if (operation == ATMOST_QUEUE_TAKE)
		take(q, room, result);
	else if (operation == ATMOST_QUEUE_LENGTH)
		answer(result, true, q->length);
	else if (q->length > 0) /* ATMOST_QUEUE_PEEK */
		answer(result, true, q->value[q->first]);
}

struct atmost_object_type atmost_queue_type(unsigned capacity)
{
	return (struct atmost_object_type){
		.name = "queue",
		.size = size_for(capacity, HEAD, EACH),
		.apply = apply,
		.operations = ATMOST_QUEUE_LENGTH,
		.arguments = 1,
		.results = 2,
	};
}
