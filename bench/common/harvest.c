/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who was told to stop while waiting gets in only because the others stop, and
 * its passage is not one of the slice's time: the rate leaves it out.  Waits,
 * overtakes, shares and CPU time count it: otherwise the longest wait of all,
 * that of one who starves, would not be seen.
 */
#include "bench/common/harvest.h"

#include "bench/common/clock.h"

#include <stdlib.h>
#include <string.h>

struct totals {
	uint64_t passages;
	size_t least, most; /* of one participant */
	int64_t cpu, start;
};

static struct totals add_up(const struct crew *crew)
{
	struct totals t = { .least = SIZE_MAX };

	for (unsigned id = 0; id < crew->cell->n; id++) {
		const struct seat *seat = &crew->hall->seats[id];

		t.passages += seat->count;
		t.cpu += seat->cpu;
		t.least = seat->count < t.least ? seat->count : t.least;
		t.most = seat->count > t.most ? seat->count : t.most;
		/* It began when the last was ready. */
		t.start = seat->ready > t.start ? seat->ready : t.start;
	}
	return t;
}

/* All that anybody was inside until then, in ns. */
static int64_t time_inside(const struct crew *crew, int64_t then)
{
	int64_t sum = 0;

	for (unsigned id = 0; id < crew->cell->n; id++) {
		const struct seat *seat = &crew->hall->seats[id];
		int64_t until = seat->left < then ? seat->left : then;

		sum += seat->stays;
		if (until > seat->entered)
			sum += until - seat->entered;
	}
	return sum;
}

static bool make_room(struct harvest *h, size_t count)
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

static void read_logs(struct harvest *h, const struct crew *crew)
{
	for (unsigned id = 0; id < crew->cell->n; id++) {
		const struct passage *log = crew->log + id * crew->log_each;
		size_t count = crew->hall->seats[id].count;

		for (size_t i = 0; i < count; i++) {
			h->arrivals[log[i].entry] = log[i].arrival;
			histogram_add(&h->waits, (uint64_t)log[i].wait);
		}
	}
}

struct waits harvest_waits(const struct histogram *h)
{
	return (struct waits){
		.p50 = histogram_quantile(h, 0.50) / 1000,
		.p90 = histogram_quantile(h, 0.90) / 1000,
		.p99 = histogram_quantile(h, 0.99) / 1000,
		.max = (double)h->largest / 1000,
	};
}

bool harvest_slice(struct harvest *h, const struct crew *crew,
		   struct sample *sample)
{
	struct totals t = add_up(crew);
	const int64_t stopped = atomic_load(&crew->hall->stopped);
	const int64_t time = stopped - t.start;

	if (!make_room(h, t.passages))
		return false;
	memset(&h->waits, 0, sizeof h->waits);
	memset(&h->overtakes, 0, sizeof h->overtakes);
	read_logs(h, crew);
	statistics_overtakes(&h->overtakes, h->arrivals, t.passages, h->tree);
	sample->seconds = time > 0 ? (double)time / SECOND : 0;
	/* All but the last of each. */
	sample->passages = t.passages - crew->cell->n;
	sample->rate = time > 0 ? (double)sample->passages / sample->seconds
				: 0;
	sample->share = (double)t.most / (double)t.least;
	sample->inside = time > 0 ? (double)time_inside(crew, stopped) /
					    (double)time
				  : 0;
	sample->wait = harvest_waits(&h->waits);
	sample->overtakes = h->overtakes.largest;
	sample->cpu = (double)t.cpu / 1000 / (double)t.passages;
	return true;
}

void harvest_free(struct harvest *h)
{
	free(h->arrivals);
	free(h->tree);
}
