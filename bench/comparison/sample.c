/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker that waits when the slice stops gets in only because the other
 * workers stop.  This last passage does not belong to the time of the slice, so
 * the rate leaves it out.  Waits, overtakes, shares and CPU time include it,
 * because otherwise the wait of a worker that starves would never show.
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

/*
 * Returns the sum of the times, in ns, that the workers were inside before
 * `end`.
 */
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

static bool make_room(struct evaluation *e, size_t count)
{
	if (count < e->room)
		return true;
	e->room = 2 * count;
	free(e->arrivals);
	free(e->tree);
	e->arrivals = malloc(e->room * sizeof *e->arrivals);
	e->tree = malloc((e->room + 1) * sizeof *e->tree);
	return e->arrivals && e->tree;
}

static void read_logs(struct evaluation *e, const struct cell_run *run)
{
	for (unsigned id = 0; id < run->cell->n; id++) {
		const struct passage *log = run->log + id * run->log_each;
		size_t count = run->counters->records[id].count;

		for (size_t i = 0; i < count; i++) {
			e->arrivals[log[i].entry] = log[i].arrival;
			histogram_add(&e->waits, (uint64_t)log[i].wait);
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

bool evaluate_slice(struct evaluation *e, const struct cell_run *run,
		    struct sample *sample)
{
	struct totals t = add_up(run);
	const int64_t stopped = run->workers.stopped;
	const int64_t time = stopped - run->workers.started;

	if (!make_room(e, t.passages))
		return false;
	memset(&e->waits, 0, sizeof e->waits);
	memset(&e->overtakes, 0, sizeof e->overtakes);
	read_logs(e, run);
	statistics_overtakes(&e->overtakes, e->arrivals, t.passages, e->tree);
	sample->seconds = time > 0 ? (double)time / SECOND : 0;
	/* All passages except the last passage of each worker. */
	sample->passages = t.passages - run->cell->n;
	sample->rate = time > 0 ? (double)sample->passages / sample->seconds
				: 0;
	sample->share = (double)t.most / (double)t.least;
	sample->inside = time > 0 ? (double)time_inside(run, stopped) /
					    (double)time
				  : 0;
	sample->wait = waits_of(&e->waits);
	sample->overtakes = e->overtakes.largest;
	sample->cpu = (double)t.cpu / 1000 / (double)t.passages;
	return true;
}

void evaluation_free(struct evaluation *e)
{
	free(e->arrivals);
	free(e->tree);
}
