/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/comparison/measure.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/options.h"
#include "bench/comparison/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", bench.name, what, strerror(errno));
	return EXIT_INTERNAL;
}

static int slice(struct cell_run *run, unsigned contender, double seconds)
{
	const char *name = run->contenders->item[contender].name;
	struct label cell = label_of_cell(run->cell);

	switch (cell_run_slice(run, contender, seconds)) {
	case TOO_MANY_INSIDE:
		print_progress(NULL);
		fprintf(stderr, "%s: %s let %u in at once (%s)\n", bench.name,
			name, atomic_load(&run->counters->most_inside),
			cell.text);
		return EXIT_VIOLATED;
	case TWO_SESSIONS_INSIDE:
		print_progress(NULL);
		fprintf(stderr, "%s: %s let two sessions in at once (%s)\n",
			bench.name, name, cell.text);
		return EXIT_VIOLATED;
	case HUNG:
		print_progress(NULL);
		fprintf(stderr,
			"%s: %s hangs: after %.0f s a slice has not "
			"ended (%s)\n",
			bench.name, name,
			(double)run->workers.patience / SECOND, cell.text);
		cell_run_print_positions(run);
		return EXIT_INTERNAL;
	case ENDED:
		break;
	}
	return EXIT_FINE;
}

/*
 * Runs short slices that do not count.  In these slices the workers touch
 * memory for the first time and learn how long to spin.
 */
static int warm_up(struct cell_run *run, double seconds)
{
	int code = EXIT_FINE;

	for (unsigned i = 0; !code && i < run->contenders->count; i++)
		code = slice(run, i, seconds / 5);
	return code;
}

static int block(struct outcome *o, struct cell_run *run, struct evaluation *e,
		 const struct plan *plan)
{
	unsigned order[CONTENDERS_MOST];
	size_t count = o->contenders.count;
	int code = EXIT_FINE;

	statistics_shuffle(order, count, plan->random);
	/* In a block all contenders get the same random sessions. */
	if (o->cell.random)
		run->counters->seed = statistics_random(plan->random);
	for (unsigned place = 0; !code && place < count; place++) {
		struct row *row = &o->rows[order[place]];
		struct sample *sample = &row->samples[o->blocks];

		code = slice(run, order[place], plan->slice);
		if (code)
			break;
		if (!evaluate_slice(e, run, sample))
			return fail("memory of the logs");
		sample->place = place;
		histogram_merge(&row->waits, &e->waits);
		histogram_merge(&row->overtakes, &e->overtakes);
	}
	return code;
}

static int blocks(struct outcome *o, struct cell_run *run,
		  const struct plan *plan)
{
	struct evaluation e = { .room = 0 };
	int64_t start, longest = 0;
	int code = warm_up(run, plan->slice);

	while (!code && o->blocks < plan->blocks) {
		start = clock_now();
		if (o->blocks >= BLOCKS_LEAST && start + longest > plan->until)
			break;
		print_progress("%s: block %u of %s%u",
			       label_of_cell(&o->cell).text, o->blocks + 1,
			       plan->until < INT64_MAX ? "at most " : "",
			       plan->blocks);
		code = block(o, run, &e, plan);
		o->blocks += !code;
		if (clock_now() - start > longest)
			longest = clock_now() - start;
	}
	print_progress(NULL);
	evaluation_free(&e);
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

/* Returns the interval of a row's values over the blocks; if base is not NULL,
 * the interval of their ratios to the values of row `base` in the same
 * blocks. */
static struct interval over_blocks(const struct outcome *o,
				   const struct row *row, enum field field,
				   const struct row *base)
{
	double values[BLOCKS_MOST];

	for (unsigned b = 0; b < o->blocks; b++) {
		double unit = base ? get(base, b, field) : 1;

		/* If the base made no passage, the cell is void. */
		values[b] = unit > 0 ? get(row, b, field) / unit : 0;
	}
	return statistics_interval(values, o->blocks);
}

struct interval measure_ratio(const struct outcome *o, size_t a, size_t b)
{
	return over_blocks(o, &o->rows[a], RATE, &o->rows[b]);
}

static void sum_up(struct outcome *o)
{
	const struct row *base = &o->rows[BASE];
	const struct interval *null = &o->rows[AGAIN].ratio;

	for (size_t i = 0; i < o->contenders.count; i++) {
		struct row *row = &o->rows[i];

		row->rate = over_blocks(o, row, RATE, NULL).median;
		row->share = over_blocks(o, row, SHARE, NULL).median;
		row->cpu = over_blocks(o, row, CPU, NULL).median;
		row->inside = over_blocks(o, row, INSIDE_MEAN, NULL).median;
		row->ratio = over_blocks(o, row, RATE, base);
		row->cpu_ratio = over_blocks(o, row, CPU, base);
		row->p99_ratio = over_blocks(o, row, P99, base);
	}
	o->is_void = null->low < 0.9 || null->high > 1.1;
}

static bool make_rows(struct outcome *o, unsigned blocks)
{
	o->rows = calloc(o->contenders.count, sizeof *o->rows);
	for (size_t i = 0; o->rows && i < o->contenders.count; i++) {
		o->rows[i].samples = calloc(blocks, sizeof(struct sample));
		if (!o->rows[i].samples)
			return false;
	}
	return o->rows;
}

int measure(struct outcome *o, const struct plan *plan)
{
	static struct cell_run run; /* a worker that hangs may still use it */
	int code;

	o->slice = plan->slice;
	if (!make_rows(o, plan->blocks))
		return fail("memory of the samples");
	if (!contenders_open(&o->contenders, &o->cell))
		return fail("cannot make the contenders");
	if (!cell_run_start(&run, &o->cell, &o->contenders, plan->slice,
			    plan->speed, plan->patience))
		return EXIT_INTERNAL;
	code = blocks(o, &run, plan);
	/*
	 * If a block failed, a worker may hang.  Such a worker is not joined
	 * and ends with the program.
	 */
	if (code)
		return code;
	cell_run_end(&run);
	contenders_close(&o->contenders);
	sum_up(o);
	return EXIT_FINE;
}

void measure_free(struct outcome *o)
{
	for (size_t i = 0; i < o->contenders.count; i++)
		free(o->rows[i].samples);
	free(o->rows);
}
