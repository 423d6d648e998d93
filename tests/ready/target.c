/* SPDX-License-Identifier: BSD-2-Clause */
#include "party.h"

#include "linear/chance.h"

#include <sched.h>

struct atmost_object_type party_type(unsigned which, unsigned capacity)
{
	switch (which) {
	case COUNTER:
		return atmost_counter_type();
	case REGISTER:
		return atmost_register_type();
	case QUEUE:
		return atmost_queue_type(capacity);
	case STACK:
		return atmost_stack_type(capacity);
	default:
		return atmost_map_type(capacity);
	}
}

static atmost_object_function *quick; /* of the party's type */

/* As the type's function, and sometimes slow: others are at the object then,
 * however few cpus there are. */
static void hesitate(void *state, size_t size, uint64_t operation,
		     const uint64_t *argument, uint64_t *result)
{
	static _Thread_local unsigned calls;

	if (++calls % 4 == 0)
		sched_yield();
	quick(state, size, operation, argument, result);
	if (calls % 4 == 2)
		sched_yield();
}

bool party_open(struct party *party, const char *name)
{
	struct atmost_object_type type = party_type(party->which, CAPACITY);
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = party->k,
		.members = party->members,
	};

	quick = type.apply;
	type.apply = hesitate;
	return (name ? atmost_object_open(&party->object, name, &shape)
		     : atmost_object_create(&party->object, &shape)) == 0;
}

int guest_does(struct guest *guest, enum manner manner, const uint64_t *wish,
	       uint64_t *result)
{
	struct book *book = guest->party->book;
	struct entry *e = book_ask(book, guest->writer, wish[0], wish + 1);
	struct atmost_object_want want = { 0 };
	int error;

	if (!e)
		return 0;
	want.tag = manner == TAGGED ? e->tag : 0;
	error = atmost_object_apply_as(guest->member, &want, wish[0], wish + 1,
				       result);
	if (error)
		return error;
	book_answer(book, e, result);
	return 1;
}

int guest_acts(struct guest *guest, enum manner manner)
{
	const struct party *party = guest->party;
	uint64_t wish[1 + MODEL_WORDS], result[ATMOST_OBJECT_WORDS] = { 0 };
	/* Never twice, and never 0. */
	uint64_t unique = (uint64_t)(guest->writer + 1) << 32 |
			  party->book->page[guest->writer].count;
	int done;

	book_wish(party->which, CAPACITY, &guest->random, unique, guest->seen,
		  wish);
	done = guest_does(guest, manner, wish, result);
	if (done == 1)
		guest->seen = result[1];
	return done;
}
