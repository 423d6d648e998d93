/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Implements the subjects with a shared object of the library.  The program is
 * linked with the shared library, as other programs are.
 */
#include "bench/resilient/implementation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct open_object {
	struct atmost_object *object;
	unsigned idle_count;
	struct atmost_object_member *idle[MEMBERS_MOST];
};

static bool fail(const char *what)
{
	fprintf(stderr, "resilient: %s: %s\n", what, atmost_detail());
	return false;
}

static void close_object(struct instance *i)
{
	struct open_object *o = i->memory;

	while (o->idle_count > 0)
		atmost_object_part(o->idle[--o->idle_count]);
	atmost_object_close(o->object);
	free(o);
}

/* Adds members that do nothing, so that a cost that grows with the number of
 * members shows. */
static bool join_idle(struct open_object *o, unsigned count)
{
	for (; o->idle_count < count; o->idle_count++)
		if (atmost_object_join(o->object, &o->idle[o->idle_count]) < 0)
			return fail("cannot join");
	return true;
}

static bool open_object(struct instance *i, unsigned threads)
{
	const struct atmost_object_type type = subject_type(
		i->implementation->subject);
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = i->k,
		.members = i->n,
	};
	struct open_object *o = calloc(1, sizeof *o);

	if (!o || atmost_object_create(&o->object, &shape) < 0) {
		free(o);
		return fail("cannot create an object");
	}
	i->memory = o;
	if (join_idle(o, i->n - threads))
		return true;
	close_object(i);
	return false;
}

static bool join(struct handle *h)
{
	const struct open_object *o = h->instance->memory;

	return atmost_object_join(o->object, &h->me) == 0 ||
	       fail("cannot join");
}

static void part(struct handle *h)
{
	atmost_object_part(h->me);
}

KEEP static void pass_object_counter(struct handle *h, unsigned long count)
{
	const uint64_t one = 1;
	uint64_t before;

	for (; count > 0; count--)
		atmost_object_apply(h->me, ATMOST_COUNTER_ADD, &one, &before);
}

KEEP static void pass_object_book(struct handle *h, unsigned long count)
{
	uint64_t before;

	for (; count > 0; count--) {
		struct transfer next = transfer_next(&h->turn);
		const uint64_t argument[] = { next.from, next.to };

		atmost_object_apply(h->me, BOOK_TRANSFER, argument, &before);
	}
}

/* If reading fails, the state keeps a value that is never right. */
static void read_state(const struct instance *i, uint64_t *state)
{
	const struct open_object *o = i->memory;
	const size_t words = subject_words(i->implementation->subject);

	memset(state, 0xff, words * sizeof *state);
	if (atmost_object_read(o->object, state) < 0)
		fail("cannot read the state");
}

#define OBJECT(of, passes)                                                \
	{                                                                 \
		.name = "object", .subject = of, .function = #passes,     \
		.open = open_object, .close = close_object, .join = join, \
		.part = part, .pass = passes, .read = read_state          \
	}

const struct implementation object_implementation[SUBJECTS] = {
	OBJECT(COUNTER, pass_object_counter),
	OBJECT(BOOK, pass_object_book),
};
