/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker that waits when the slice stops gets in only because the others stop.
 * Its last passage is not one of the slice's time, so the rate leaves it out.
 * Waits, overtakes, shares and CPU time include it: otherwise the longest wait,
 * that of a worker that starves, would never show.
 */
#include "bench/comparison/sample.h"

#include "bench/common/clock.h"

#include <stdlib.h>
#include <string.h>

struct totals {
	uint64_t passages;
	size_t least, most; /* passages of one worker */
	int64_t cpu;
};

static struct totals add_up(const struct cell_run *run)
{
	struct totals t = { .least = SIZE_MAX };

	for (unsigned id = 0; id < run->cell->n; id++) {
		const struct worker_record *record =
			&run->counters->records[id];

		t.passages += record->count;
		t.cpu += record->cpu;
		t.least = record->count < t.least ? record->count : t.least;
		t.most = record->count > t.most ? record->count : t.most;
	}
	return t;
}

/* The ns that all workers together were inside, until `end`. */
static int64_t time_inside(const struct cell_run *run, int64_t end)
{
	int64_t sum = 0;

	for (unsigned id = 0; id < run->cell->n; id++) {
		const struct worker_record *record =
			&run->counters->records[id];
		int64_t until = record->left < end ? record->left : end;

		sum += record->stays;
		if (until > record->entered)
			sum += until - record->entered;
	}
	return sum;
}

static bool make_room(struct evaluation *h, size_t count)
{
	if (count < h->room)
		return true;
	h->room = 2 * count;
	free(h->arrivals);
	free(h->tree);
	h->arrivals = malloc(h->room * sizeof *h->arrivals);
	h->tree = malloc((h->room + 1) * sizeof *h->tree);
	return h->arrivals && h->tree;
}

static void read_logs(struct evaluation *h, const struct cell_run *run)
{
	for (unsigned id = 0; id < run->cell->n; id++) {
		const struct passage *log = run->log + id * run->log_each;
		size_t count = run->counters->records[id].count;

		for (size_t i = 0; i < count; i++) {
			h->arrivals[log[i].entry] = log[i].arrival;
			histogram_add(&h->waits, (uint64_t)log[i].wait);
		}
	}
}

struct waits waits_of(const struct histogram *h)
{
	return (struct waits){
		.p50 = histogram_quantile(h, 0.50) / 1000,
		.p90 = histogram_quantile(h, 0.90) / 1000,
		.p99 = histogram_quantile(h, 0.99) / 1000,
		.max = (double)h->largest / 1000,
	};
}

bool evaluate_slice(struct evaluation *h, const struct cell_run *run,
		    struct sample *sample)
{
	struct totals t = add_up(run);
	const int64_t stopped = run->workers.stopped;
	const int64_t time = stopped - run->workers.started;

	if (!make_room(h, t.passages))
		return false;
	memset(&h->waits, 0, sizeof h->waits);
	memset(&h->overtakes, 0, sizeof h->overtakes);
	read_logs(h, run);
	statistics_overtakes(&h->overtakes, h->arrivals, t.passages, h->tree);
	sample->seconds = time > 0 ? (double)time / SECOND : 0;
	/* All but the last of each worker. */
	sample->passages = t.passages - run->cell->n;
	sample->rate = time > 0 ? (double)sample->passages / sample->seconds
				: 0;
	sample->share = (double)t.most / (double)t.least;
	sample->inside = time > 0 ? (double)time_inside(run, stopped) /
					    (double)time
				  : 0;
	sample->wait = waits_of(&h->waits);
	sample->overtakes = h->overtakes.largest;
	sample->cpu = (double)t.cpu / 1000 / (double)t.passages;
	return true;
}

void evaluation_free(struct evaluation *h)
{
	free(h->arrivals);
	free(h->tree);
}
