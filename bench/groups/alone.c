/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nobody else is there: what enter and leave cost, in CPU time of the thread and
 * in system calls.  The registry's are called through their tables as in the
 * cells; `library` is the default algorithm by the library's calls.
 */
#include "bench/groups/groups.h"

#include "atmost/atmost.h"
#include "bench/common/bench.h"
#include "bench/common/calls.h"
#include "bench/common/clock.h"
#include "bench/common/output.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { STANDS = 6, BLOCKS = 21, PASSAGES = 2000, LOOKED_AT = 1000 };

static const char *const names[] = {
	"rwlock", "room-batch", "danek-fife/tree-mutex", "room", NULL,
};

/* One contender, ready to be passed; without a visitor: the library. */
struct stand {
	const char *name;
	struct visitor visitor;
	struct atmost_member *me;
	double ns[BLOCKS];
};

struct alone {
	struct line_up line_up;
	struct atmost *object;
	struct stand stands[STANDS];
	size_t count;
};

static void pass(struct stand *s, unsigned count)
{
	while (count-- > 0) {
		if (s->me) {
			atmost_enter(s->me, NULL);
			atmost_leave(s->me);
		} else {
			s->visitor.enter(&s->visitor);
			s->visitor.leave(&s->visitor);
		}
	}
}

static bool make_library(struct alone *a, unsigned n)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = n,
	};
	struct stand *s = &a->stands[a->count++];

	s->name = "library";
	return atmost_create(&a->object, &shape) == 0 &&
	       atmost_join(a->object, &s->me) == 0;
}

static bool make(struct alone *a, unsigned n)
{
	const struct cell cell = { .n = n, .sessions = 2 };

	memset(a, 0, sizeof *a);
	line_up_choose(&a->line_up, &cell, names);
	if (!line_up_open(&a->line_up, &cell))
		return false;
	for (size_t i = 0; i < a->line_up.count; i++)
		if (i != AGAIN && a->count < STANDS - 1)
			a->stands[a->count++] = (struct stand){
				.name = a->line_up.of[i].name,
				.visitor = contender_join(&a->line_up.of[i], 0),
			};
	return make_library(a, n);
}

static void unmake(struct alone *a)
{
	atmost_close(a->object);
	line_up_close(&a->line_up);
}

static void measure_all(struct alone *a, uint64_t *random)
{
	unsigned order[STANDS];

	for (size_t i = 0; i < a->count; i++)
		pass(&a->stands[i], PASSAGES);
	for (unsigned b = 0; b < BLOCKS; b++) {
		statistics_shuffle(order, a->count, random);
		for (size_t i = 0; i < a->count; i++) {
			struct stand *s = &a->stands[order[i]];
			int64_t start = clock_cpu();

			pass(s, PASSAGES);
			s->ns[b] = (double)(clock_cpu() - start) / PASSAGES;
		}
	}
}

static bool be_ready(void *job)
{
	(void)job;
	return true;
}

static void pass_some(void *job)
{
	pass(job, LOOKED_AT);
}

/* A child may not use what its parent joined: it joins itself. */
static bool join_again(void *job)
{
	const struct atmost_shape shape = { .kind = ATMOST_GROUP };
	struct stand *s = job;
	struct atmost *object;

	return atmost_create(&object, &shape) == 0 &&
	       atmost_join(object, &s->me) == 0;
}

static void show(struct stand *s, unsigned n, json_t *rows)
{
	struct stand counted = *s;
	const long calls = calls_count(s->me ? join_again : be_ready, pass_some,
				       &counted);
	struct interval ns = statistics_interval(s->ns, BLOCKS);
	char told[32] = "not counted";

	if (calls >= 0)
		snprintf(told, sizeof told, "%g", (double)calls / LOOKED_AT);
	printf("%-22s n=%-4u %8.0f [%.0f, %.0f] ns %12s system calls\n",
	       s->name, n, ns.median, ns.low, ns.high, told);
	json_array_append_new(rows,
			      json_pack("{ss si sf sf sf so}", "name", s->name,
					"n", (int)n, "ns", ns.median, "low",
					ns.low, "high", ns.high, "system_calls",
					calls < 0 ? json_null()
						  : json_real((double)calls /
							      LOOKED_AT)));
}

bool groups_alone(struct json_t *all, uint64_t *random)
{
	static const unsigned members[] = { 2, 8, 64 };
	static struct alone a;
	json_t *rows = json_array();

	json_object_set_new(all, "alone", rows);
	printf("\nalone: CPU time and system calls of enter and leave\n");
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		if (!make(&a, members[i]))
			return false;
		measure_all(&a, random);
		for (size_t j = 0; j < a.count; j++)
			show(&a.stands[j], members[i], rows);
		unmake(&a);
	}
	fflush(stdout);
	return true;
}
