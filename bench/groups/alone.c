/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures what enter and leave cost a member that is alone in its pool, in CPU
 * time of the thread and in system calls.  Algorithms are called through their
 * tables, as in the cells; `library` is the default algorithm, called through
 * the library.
 */
#include "bench/groups/alone.h"

#include "atmost/atmost.h"
#include "bench/common/clock.h"
#include "bench/common/count.h"
#include "bench/common/statistics.h"
#include "bench/comparison/contender.h"

#include <stdio.h>
#include <string.h>

enum { INSTANCES = 7, BLOCKS = 21, PASSAGES = 2000, COUNTED = 1000 };

static const char *const names[] = {
	"rwlock", "room-batch", "danek-fife/tree-mutex", "room", "hall", NULL,
};

/* One contender: an algorithm or a rival, or the library if `me` is set. */
struct instance {
	const char *name;
	struct handle handle;
	struct atmost_member *me;
	double ns[BLOCKS];
};

struct alone {
	struct contenders contenders;
	struct atmost *pool;
	struct instance instances[INSTANCES];
	size_t count;
};

static void pass(struct instance *s, unsigned count)
{
	while (count-- > 0) {
		if (s->me) {
			atmost_enter(s->me, NULL);
			atmost_leave(s->me);
		} else {
			s->handle.enter(&s->handle);
			s->handle.leave(&s->handle);
		}
	}
}

static bool open_library(struct alone *a, unsigned n)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = n,
	};
	struct instance *s = &a->instances[a->count++];

	s->name = "library";
	return atmost_create(&a->pool, &shape) == 0 &&
	       atmost_join(a->pool, &s->me) == 0;
}

static bool open_all(struct alone *a, unsigned n)
{
	const struct cell cell = { .n = n, .sessions = 2 };

	memset(a, 0, sizeof *a);
	contenders_choose(&a->contenders, &cell, names);
	if (!contenders_open(&a->contenders, &cell))
		return false;
	for (size_t i = 0; i < a->contenders.count; i++)
		if (i != AGAIN && a->count < INSTANCES - 1)
			a->instances[a->count++] = (struct instance){
				.name = a->contenders.item[i].name,
				.handle = contender_join(&a->contenders.item[i],
							 0),
			};
	return open_library(a, n);
}

static void close_all(struct alone *a)
{
	atmost_close(a->pool);
	contenders_close(&a->contenders);
}

static void measure_all(struct alone *a, uint64_t *random)
{
	unsigned order[INSTANCES];

	for (size_t i = 0; i < a->count; i++)
		pass(&a->instances[i], PASSAGES);
	for (unsigned b = 0; b < BLOCKS; b++) {
		statistics_shuffle(order, a->count, random);
		for (size_t i = 0; i < a->count; i++) {
			struct instance *s = &a->instances[order[i]];
			int64_t start = clock_cpu();

			pass(s, PASSAGES);
			s->ns[b] = (double)(clock_cpu() - start) / PASSAGES;
		}
	}
}

static bool prepare_nothing(void *job)
{
	(void)job;
	return true;
}

static void pass_some(void *job)
{
	pass(job, COUNTED);
}

/*
 * A child cannot use the members of its parent, so the child makes a pool and
 * joins it.
 */
static bool join_again(void *job)
{
	const struct atmost_shape shape = { .kind = ATMOST_GROUP };
	struct instance *s = job;
	struct atmost *pool;

	return atmost_create(&pool, &shape) == 0 &&
	       atmost_join(pool, &s->me) == 0;
}

static void show(struct instance *s, unsigned n, json_t *rows)
{
	struct instance counted = *s;
	const long calls = count_system_calls(s->me ? join_again
						    : prepare_nothing,
					      pass_some, &counted);
	struct interval ns = statistics_interval(s->ns, BLOCKS);
	char calls_text[32] = "not counted";

	if (calls >= 0)
		snprintf(calls_text, sizeof calls_text, "%g",
			 (double)calls / COUNTED);
	printf("%-22s n=%-4u %8.0f [%.0f, %.0f] ns %12s system calls\n",
	       s->name, n, ns.median, ns.low, ns.high, calls_text);
	json_array_append_new(rows,
			      json_pack("{ss si sf sf sf so}", "name", s->name,
					"n", (int)n, "ns", ns.median, "low",
					ns.low, "high", ns.high, "system_calls",
					calls < 0 ? json_null()
						  : json_real((double)calls /
							      COUNTED)));
}

bool measure_alone(json_t *all, uint64_t *random)
{
	static const unsigned members[] = { 2, 8, 64, 1024 };
	static struct alone a;
	json_t *rows = json_array();

	json_object_set_new(all, "alone", rows);
	printf("\nalone: CPU time and system calls of enter and leave\n");
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		if (!open_all(&a, members[i]))
			return false;
		measure_all(&a, random);
		for (size_t j = 0; j < a.count; j++)
			show(&a.instances[j], members[i], rows);
		close_all(&a);
	}
	fflush(stdout);
	return true;
}
