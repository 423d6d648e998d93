/* SPDX-License-Identifier: BSD-2-Clause */
/* Kept by the library: as any program uses it, through the shared library. */
#include "bench/resilient/keeper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kept {
	struct atmost_object *object;
	unsigned idle_count;
	struct atmost_object_member *idle[MEMBERS_MOST];
};

static bool complain(const char *what)
{
	fprintf(stderr, "resilient: %s: %s\n", what, atmost_detail());
	return false;
}

static void close_object(struct stand *s)
{
	struct kept *kept = s->kept;

	while (kept->idle_count > 0)
		atmost_object_part(kept->idle[--kept->idle_count]);
	atmost_object_close(kept->object);
	free(kept);
}

/* Idle members are members: who pays for them would pay here. */
static bool join_idle(struct kept *kept, unsigned count)
{
	for (; kept->idle_count < count; kept->idle_count++)
		if (atmost_object_join(kept->object,
				       &kept->idle[kept->idle_count]) < 0)
			return complain("a member");
	return true;
}

static bool open_object(struct stand *s, unsigned guests)
{
	const struct atmost_object_type type = subject_type(s->keeper->subject);
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = s->k,
		.members = s->n,
	};
	struct kept *kept = calloc(1, sizeof *kept);

	if (!kept || atmost_object_create(&kept->object, &shape) < 0) {
		free(kept);
		return complain("an object");
	}
	s->kept = kept;
	if (join_idle(kept, s->n - guests))
		return true;
	close_object(s);
	return false;
}

static bool join(struct guest *g)
{
	const struct kept *kept = g->stand->kept;

	return atmost_object_join(kept->object, &g->me) == 0 ||
	       complain("a member");
}

static void part(struct guest *g)
{
	atmost_object_part(g->me);
}

KEEP static void pass_object_counter(struct guest *g, unsigned long count)
{
	const uint64_t one = 1;
	uint64_t before;

	for (; count > 0; count--)
		atmost_object_apply(g->me, ATMOST_COUNTER_ADD, &one, &before);
}

KEEP static void pass_object_book(struct guest *g, unsigned long count)
{
	uint64_t before;

	for (; count > 0; count--) {
		struct transfer next = transfer_next(&g->turn);
		const uint64_t argument[] = { next.from, next.to };

		atmost_object_apply(g->me, BOOK_TRANSFER, argument, &before);
	}
}

/* Who cannot look sees nothing, which is not right. */
static void look(const struct stand *s, uint64_t *state)
{
	const struct kept *kept = s->kept;
	const size_t words = subject_words(s->keeper->subject);

	memset(state, 0xff, words * sizeof *state);
	if (atmost_object_read(kept->object, state) < 0)
		complain("a state");
}

#define OBJECT(of, passes)                                                \
	{                                                                 \
		.name = "object", .subject = of, .function = #passes,     \
		.open = open_object, .close = close_object, .join = join, \
		.part = part, .pass = passes, .look = look                \
	}

const struct keeper keeper_object[SUBJECTS] = {
	OBJECT(COUNTER, pass_object_counter),
	OBJECT(BOOK, pass_object_book),
};
