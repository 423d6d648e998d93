/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/measure.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", bench.name, what, strerror(errno));
	return EXIT_INTERNAL;
}

static int slice(struct crew *crew, unsigned contender, double seconds)
{
	const char *name = crew->line_up->of[contender].name;
	struct label cell = progress_label(crew->cell);

	switch (crew_slice(crew, contender, seconds)) {
	case TOO_MANY_INSIDE:
		progress_say(NULL);
		fprintf(stderr, "%s: %s let %u in at once (%s)\n", bench.name,
			name, atomic_load(&crew->hall->most_inside), cell.text);
		return EXIT_VIOLATED;
	case TWO_SESSIONS_INSIDE:
		progress_say(NULL);
		fprintf(stderr, "%s: %s let two sessions in at once (%s)\n",
			bench.name, name, cell.text);
		return EXIT_VIOLATED;
	case HUNG:
		progress_say(NULL);
		fprintf(stderr,
			"%s: %s hangs: after %.0f s a slice has not "
			"ended (%s)\n",
			bench.name, name, (double)crew->patience / SECOND,
			cell.text);
		crew_tell(crew);
		return EXIT_INTERNAL;
	case ENDED:
		break;
	}
	return EXIT_FINE;
}

/* Short, and not counted: memory is touched, habits are formed. */
static int warm_up(struct crew *crew, double seconds)
{
	int code = EXIT_FINE;

	for (unsigned i = 0; !code && i < crew->line_up->count; i++)
		code = slice(crew, i, seconds / 5);
	return code;
}

static int block(struct outcome *o, struct crew *crew, struct harvest *h,
		 const struct plan *plan)
{
	unsigned order[CONTENDERS_MOST];
	size_t count = o->line_up.count;
	int code = EXIT_FINE;

	statistics_shuffle(order, count, plan->random);
	/* In a block all are asked for the same sessions. */
	if (o->cell.random)
		crew->hall->seed = statistics_random(plan->random);
	for (unsigned place = 0; !code && place < count; place++) {
		struct row *row = &o->rows[order[place]];
		struct sample *sample = &row->samples[o->blocks];

		code = slice(crew, order[place], plan->slice);
		if (code)
			break;
		if (!harvest_slice(h, crew, sample))
			return fail("logs");
		sample->place = place;
		histogram_merge(&row->waits, &h->waits);
		histogram_merge(&row->overtakes, &h->overtakes);
	}
	return code;
}

static int blocks(struct outcome *o, struct crew *crew, const struct plan *plan)
{
	struct harvest h = { .room = 0 };
	int64_t start, longest = 0;
	int code = warm_up(crew, plan->slice);

	while (!code && o->blocks < plan->blocks) {
		start = clock_now();
		if (o->blocks >= BLOCKS_LEAST && start + longest > plan->until)
			break;
		progress_say("%s: block %u of %s%u",
			     progress_label(&o->cell).text, o->blocks + 1,
			     plan->until < INT64_MAX ? "at most " : "",
			     plan->blocks);
		code = block(o, crew, &h, plan);
		o->blocks += !code;
		if (clock_now() - start > longest)
			longest = clock_now() - start;
	}
	progress_say(NULL);
	harvest_free(&h);
	return code;
}

enum field { RATE, SHARE, CPU, INSIDE_MEAN, P99 };

static double get(const struct row *row, unsigned block, enum field field)
{
	const struct sample *s = &row->samples[block];

	switch (field) {
	case RATE:
		return s->rate;
	case SHARE:
		return s->share;
	case CPU:
		return s->cpu;
	case INSIDE_MEAN:
		return s->inside;
	case P99:
		return s->wait.p99;
	}
	return 0;
}

/* Of the values themselves, or of their ratios to the base's in the block. */
static struct interval over_blocks(const struct outcome *o,
				   const struct row *row, enum field field,
				   bool ratio)
{
	double values[BLOCKS_MOST];

	for (unsigned b = 0; b < o->blocks; b++) {
		double base = ratio ? get(&o->rows[BASE], b, field) : 1;

		/* A base that did nothing: no ratio, and the cell is void. */
		values[b] = base > 0 ? get(row, b, field) / base : 0;
	}
	return statistics_interval(values, o->blocks);
}

struct interval measure_ratio(const struct outcome *o, size_t a, size_t b)
{
	double values[BLOCKS_MOST];

	for (unsigned i = 0; i < o->blocks; i++) {
		double base = get(&o->rows[b], i, RATE);

		values[i] = base > 0 ? get(&o->rows[a], i, RATE) / base : 0;
	}
	return statistics_interval(values, o->blocks);
}

static void sum_up(struct outcome *o)
{
	const struct interval *null = &o->rows[AGAIN].ratio;

	for (size_t i = 0; i < o->line_up.count; i++) {
		struct row *row = &o->rows[i];

		row->rate = over_blocks(o, row, RATE, false).median;
		row->share = over_blocks(o, row, SHARE, false).median;
		row->cpu = over_blocks(o, row, CPU, false).median;
		row->inside = over_blocks(o, row, INSIDE_MEAN, false).median;
		row->ratio = over_blocks(o, row, RATE, true);
		row->cpu_ratio = over_blocks(o, row, CPU, true);
		row->p99_ratio = over_blocks(o, row, P99, true);
	}
	o->is_void = null->low < 0.9 || null->high > 1.1;
}

static bool make_rows(struct outcome *o, unsigned blocks)
{
	o->rows = calloc(o->line_up.count, sizeof *o->rows);
	for (size_t i = 0; o->rows && i < o->line_up.count; i++) {
		o->rows[i].samples = calloc(blocks, sizeof(struct sample));
		if (!o->rows[i].samples)
			return false;
	}
	return o->rows;
}

int measure(struct outcome *o, const struct plan *plan)
{
	static struct crew crew; /* who hangs uses it even after we return */
	int code;

	crew = (struct crew){ .patience = plan->patience };
	o->slice = plan->slice;
	if (!make_rows(o, plan->blocks))
		return fail("samples");
	if (!line_up_open(&o->line_up, &o->cell))
		return fail("contenders");
	if (!crew_hire(&crew, &o->cell, &o->line_up, plan->slice, plan->speed))
		return fail(o->cell.processes ? "processes" : "threads");
	code = blocks(o, &crew, plan);
	/* Who hangs cannot be dismissed: it ends with the program. */
	if (code)
		return code;
	crew_dismiss(&crew);
	line_up_close(&o->line_up);
	sum_up(o);
	return EXIT_FINE;
}

void measure_free(struct outcome *o)
{
	for (size_t i = 0; i < o->line_up.count; i++)
		free(o->rows[i].samples);
	free(o->rows);
}
