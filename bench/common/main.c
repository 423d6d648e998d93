/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/forms.h"
#include "bench/common/options.h"
#include "bench/common/output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The participants end with us; what the kernel keeps for us does not. */
static void clean_up(int signal)
{
	contenders_abandon();
	raise(signal); /* SA_RESETHAND: when we return, it ends us */
}

static void watch_signals(void)
{
	const int signals[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				SIGABRT, SIGSEGV, SIGBUS };
	struct sigaction action = {
		.sa_handler = clean_up,
		.sa_flags = (int)SA_RESETHAND,
	};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
	atexit(contenders_abandon);
}

struct run {
	const struct options *options;
	double speed;
	uint64_t random;
	int64_t start;
	struct json_t *json;
};

/* After each cell: if somebody loses patience, what there is stays. */
static int write_json(const struct run *r)
{
	const char *file = r->options->json;

	if (!file || json_write(r->json, file))
		return EXIT_FINE;
	fprintf(stderr, "%s: %s: %s\n", bench.name, file, strerror(errno));
	return EXIT_INTERNAL;
}

static int run_cell(struct run *r, struct outcome *o, size_t number)
{
	const struct options *options = r->options;
	struct plan plan = {
		.blocks = options->blocks,
		.until = INT64_MAX,
		.slice = options->slice,
		.speed = r->speed,
		.patience = (int64_t)(options->patience * SECOND),
		.random = &r->random,
	};
	/* A twentieth is kept for whatever comes unexpected. */
	int64_t end = r->start + (int64_t)(0.95 * options->budget * SECOND);
	int code;

	o->cell = options->cells[number];
	line_up_choose(&o->line_up, &o->cell, options->only);
	if (plan.slice == 0)
		plan.slice = o->cell.section->slice;
	if (options->budget > 0)
		form_plan(&plan, &o->cell, o->line_up.count,
			  options->cell_count - number, end);
	code = measure(o, &plan);
	if (code)
		return code;
	output_table(o);
	json_cell(r->json, o);
	measure_free(o);
	return write_json(r);
}

static int finish(struct run *r)
{
	const double budget = r->options->budget;
	double took = (double)(clock_now() - r->start) / SECOND;

	if (budget > 0 && took > budget)
		printf("\ntook %.0f s: THE BUDGET OF %.0f s WAS NOT KEPT: %d "
		       "blocks of so many contenders take longer\n",
		       took, budget, BLOCKS_LEAST);
	else
		printf("\ntook %.0f s\n", took);
	json_end(r->json, took, budget);
	return write_json(r);
}

int main(int argc, char **argv)
{
	static struct options options;
	static struct outcome outcome;
	struct run r = { .options = &options, .start = clock_now() };
	struct machine machine = machine_look();
	int code;

	if (!options_read(&options, argc, argv, &code))
		return code;
	watch_signals();
	r.speed = section_speed();
	r.random = options.seed;
	r.json = json_begin(&machine, options.seed, r.speed);
	machine_tell(&machine, options.seed, r.speed);
	if (options.form && bench.alone && !bench.alone(r.json, &r.random)) {
		perror(bench.name);
		code = EXIT_INTERNAL;
	}
	for (size_t i = 0; !code && i < options.cell_count; i++) {
		memset(&outcome, 0, sizeof outcome);
		code = run_cell(&r, &outcome, i);
	}
	if (!code)
		code = finish(&r);
	json_free(r.json);
	free(options.only);
	return code;
}
