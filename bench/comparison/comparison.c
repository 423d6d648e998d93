/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/comparison/comparison.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/json.h"
#include "bench/common/options.h"
#include "bench/comparison/cells.h"
#include "bench/comparison/description.h"
#include "bench/comparison/print.h"
#include "bench/comparison/result_json.h"

#include <stdio.h>
#include <string.h>

enum { PATIENCE = 20 /* seconds */ };

struct run {
	const struct options *options;
	struct cells cells;
	double speed;
	uint64_t random;
	int64_t start;
	json_t *json;
};

/*
 * Gives this cell its share of the time that is left.  The slices get the
 * length at which BLOCKS_LEAST blocks fit into that share, but at least
 * least_slice and at most the usual length.  The calculation assumes that the
 * time between two slices is a tenth of a slice.
 */
static void fit_into_budget(struct plan *plan, const struct cell *cell,
			    size_t contenders, size_t cells_left, int64_t end)
{
	const int64_t now = clock_now();
	const double usual = cell->section->slice;
	double time = (double)(end - now) / SECOND / (double)cells_left, slice;

	plan->until = now + (end - now) / (int64_t)cells_left;
	slice = time / (1.1 * (double)contenders * BLOCKS_LEAST);
	slice = slice < usual ? slice : usual;
	plan->slice = slice > cell->least_slice ? slice : cell->least_slice;
}

static int run_cell(struct run *r, struct outcome *o, size_t number)
{
	const struct options *options = r->options;
	const struct cells *cells = &r->cells;
	const double patience = options->patience > 0 ? options->patience
						      : PATIENCE;
	struct plan plan = {
		.blocks = cells->most_blocks,
		.until = INT64_MAX,
		.slice = options->slice,
		.speed = r->speed,
		.patience = (int64_t)(patience * SECOND),
		.random = &r->random,
	};
	/* A twentieth of the budget is kept for delays. */
	int64_t end = r->start + (int64_t)(0.95 * cells->budget * SECOND);
	int code;

	o->cell = cells->cell[number];
	contenders_choose(&o->contenders, &o->cell,
			  options->only.count ? options->only.text : NULL);
	if (plan.slice <= 0)
		plan.slice = o->cell.section->slice;
	if (cells->budget > 0)
		fit_into_budget(&plan, &o->cell, o->contenders.count,
				cells->count - number, end);
	code = measure(o, &plan);
	if (code)
		return code;
	print_table(o);
	result_json_cell(r->json, o);
	measure_free(o);
	/*
	 * The program writes the file after each cell, so that the results of
	 * finished cells are kept if the user stops the program.
	 */
	return json_write(r->json, options->json) ? EXIT_FINE : EXIT_INTERNAL;
}

static int finish(struct run *r)
{
	const double budget = r->cells.budget;
	double took = (double)(clock_now() - r->start) / SECOND;

	if (budget > 0 && took > budget)
		printf("\ntook %.0f s: THE BUDGET OF %.0f s WAS NOT KEPT: %d "
		       "blocks of this many contenders take longer\n",
		       took, budget, BLOCKS_LEAST);
	else
		printf("\ntook %.0f s\n", took);
	result_json_end(r->json, took, budget);
	return json_write(r->json, r->options->json) ? EXIT_FINE
						     : EXIT_INTERNAL;
}

int comparison_run(const struct options *o)
{
	static struct run r;
	static struct outcome outcome;
	const struct machine machine = machine_describe();
	const bool form = o->quick || o->report || o->alone;
	int code;

	r = (struct run){
		.options = o,
		.random = o->seed,
		.start = clock_now(),
	};
	code = cells_choose(&r.cells, o);
	if (code)
		return code;
	r.speed = section_speed();
	r.json = result_json_begin(&machine, o->seed, r.speed);
	machine_print(&machine, o->seed, r.speed);
	if (form && comparison.alone && !comparison.alone(r.json, &r.random)) {
		perror(bench.name);
		code = EXIT_INTERNAL;
	}
	for (size_t i = 0; !code && i < r.cells.count; i++) {
		memset(&outcome, 0, sizeof outcome);
		code = run_cell(&r, &outcome, i);
	}
	if (!code)
		code = finish(&r);
	json_decref(r.json);
	return code;
}
