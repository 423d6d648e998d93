/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/slices.h"

#include "bench/common/clock.h"

#include <stdio.h>

/*
 * The number of operations between two checks of the stop flag.  It is small,
 * because an operation may have to wait.
 */
enum { BATCH = 16 };

static void slice(void *context, unsigned id, unsigned instance)
{
	struct slices *s = context;
	struct handle *h = &s->records[id].handles[instance];
	void (*pass)(struct handle *,
		     unsigned long) = h->instance->implementation->pass;
	uint64_t count = 0;
	int64_t cpu;

	workers_meet(&s->workers, id);
	cpu = clock_cpu();
	do {
		pass(h, BATCH);
		count += BATCH;
	} while (!workers_are_stopping(&s->workers));
	s->records[id].cpu = clock_cpu() - cpu;
	s->records[id].count = count;
}

static bool join_all(void *context, unsigned id)
{
	struct slices *s = context;
	size_t *joined = &s->records[id].joined;

	for (*joined = 0; *joined < s->instance_count; ++*joined) {
		const struct instance *i = &s->instances[*joined];
		struct handle *h = &s->records[id].handles[*joined];

		*h = (struct handle){ .instance = i };
		if (i->implementation->join && !i->implementation->join(h))
			return false;
	}
	return true;
}

static void part_all(void *context, unsigned id)
{
	struct slices *s = context;

	for (size_t i = s->records[id].joined; i-- > 0;) {
		struct handle *h = &s->records[id].handles[i];

		if (h->instance->implementation->part)
			h->instance->implementation->part(h);
	}
}

bool slices_start(struct slices *s)
{
	s->workers = (struct workers){
		.n = s->threads,
		.patience = 20 * (int64_t)SECOND,
		.context = s,
		.prepare = join_all,
		.slice = slice,
		.finish = part_all,
	};
	return workers_start(&s->workers);
}

/*
 * Operations that end after the stop are counted as well; each thread makes at
 * most one batch of them.
 */
static uint64_t add_up(const struct slices *s, struct slice *result)
{
	const int64_t length = s->workers.stopped - s->workers.started;
	uint64_t count = 0;
	int64_t cpu = 0;

	for (unsigned i = 0; i < s->threads; i++) {
		count += s->records[i].count;
		cpu += s->records[i].cpu;
	}
	result->cpu = (double)cpu / (double)count;
	result->rate = (double)count * SECOND / (double)length;
	return count;
}

bool slices_run(struct slices *s, size_t instance, double seconds,
		struct slice *result)
{
	if (!workers_slice(&s->workers, (unsigned)instance, seconds)) {
		fprintf(stderr, "resilient: %s hangs: a slice has not ended\n",
			s->instances[instance].implementation->name);
		return false;
	}
	s->operations[instance] += add_up(s, result);
	return true;
}

void slices_end(struct slices *s)
{
	workers_end(&s->workers);
}
