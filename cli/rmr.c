/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost rmr: measures the remote memory references of a passage. */
#include "checker/check.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/rmr_row.h"
#include "cli/terminal_line.h"
#include "cli/usage.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	char **algorithms; /* ended by NULL */
	struct numbers n, k;
	uint64_t sessions, contention, seed;
	const char *model, *adversary;
	uint64_t steps;
	double seconds;
	bool smart_cache, writer_keeps, aborts, json;
};

/* The largest n for which an algorithm was measured. */
struct largest {
	const char *algorithm;
	unsigned n;
};

struct output {
	int name_width; /* of the first column */
	bool as_json;   /* write the rows to `json`, not to stdout */
	struct json json;
	struct largest *largest; /* at most one element per operand */
	size_t largest_count;
	char **skipped; /* messages about an n that is too large */
	size_t skipped_count;
	char error[LAB_ERROR]; /* the last error of a measurement */
	bool has_heading, any_above;
};

static void note_largest(struct output *o, const struct lab_row *r)
{
	struct largest *l = o->largest;

	while (l < o->largest + o->largest_count &&
	       strcmp(l->algorithm, r->algorithm) != 0)
		l++;
	if (l == o->largest + o->largest_count) {
		*l = (struct largest){ .algorithm = r->algorithm };
		o->largest_count++;
	}
	if (l->n < r->n)
		l->n = r->n;
}

/* False: out of memory. */
static bool note_skipped(struct output *o)
{
	char **longer = realloc(o->skipped,
				(o->skipped_count + 1) * sizeof *o->skipped);

	if (!longer)
		return false;
	o->skipped = longer;
	o->skipped[o->skipped_count] = strdup(o->error);
	return o->skipped[o->skipped_count++] != NULL;
}

static int measure(const struct lab_measure *m, struct output *o)
{
	struct lab_row row;
	bool usage = false, done;

	memset(&row, 0, sizeof row);
	terminal_line_print("measuring %s, n=%d, %s ...", m->algorithm, m->n,
			    rmr_row_model_name(m->model));
	done = lab_measure(m, &row, o->error, &usage);
	terminal_line_erase();
	if (row.too_large)
		return note_skipped(o) ? EXIT_FINE
				       : internal_error("rmr", "out of memory");
	if (!done)
		return usage ? usage_error("rmr", "%s", o->error)
			     : internal_error("rmr", "%s", o->error);
	o->any_above |= rmr_row_is_above(&row);
	note_largest(o, &row);
	if (o->as_json) {
		rmr_row_write_json(&o->json, m, &row);
		return EXIT_FINE;
	}
	if (!o->has_heading)
		rmr_row_print_heading(o->name_width);
	o->has_heading = true;
	rmr_row_print(o->name_width, m, &row);
	return EXIT_FINE;
}

static int measure_models(struct lab_measure *m, const struct request *r,
			  struct output *o)
{
	static const enum lab_model models[] = { LAB_CC, LAB_DSM };
	int code = EXIT_FINE;

	for (size_t i = 0; code == EXIT_FINE && i < 2; i++) {
		m->model = models[i];
		m->smart_cache = r->smart_cache && m->model == LAB_CC;
		m->writer_keeps = r->writer_keeps && m->model == LAB_CC;
		if (!r->model ||
		    strcmp(r->model, rmr_row_model_name(m->model)) == 0)
			code = measure(m, o);
	}
	return code;
}

static int measure_shapes(struct lab_measure *m, const struct request *r,
			  struct output *o)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < r->n.count; i++) {
		m->n = (int)r->n.value[i];
		if (r->k.count == 0) {
			m->k = -1;
			code = measure_models(m, r, o);
		}
		for (size_t j = 0; code == EXIT_FINE && j < r->k.count; j++) {
			m->k = (int)r->k.value[j];
			code = measure_models(m, r, o);
		}
		if (code)
			break;
	}
	return code;
}

static void print_skipped(const struct output *o)
{
	for (size_t i = 0; i < o->skipped_count; i++)
		printf("skipped: %s\n", o->skipped[i]);
	for (size_t i = 0; o->skipped_count && i < o->largest_count; i++)
		printf("largest n measured: %s, n=%u\n",
		       o->largest[i].algorithm, o->largest[i].n);
}

static void write_skipped(struct json *j, const struct output *o)
{
	json_open_object(j, "largest_n");
	for (size_t i = 0; i < o->largest_count; i++)
		json_put_integer(j, o->largest[i].algorithm, o->largest[i].n);
	json_close_object(j);
	json_open_array(j, "skipped");
	for (size_t i = 0; i < o->skipped_count; i++)
		json_text(j, NULL, o->skipped[i]);
	json_close_array(j);
}

/* Measures all rows.  Returns an exit code. */
static int measure_rows(const struct request *r, struct output *o)
{
	struct lab_measure m = {
		.sessions = r->sessions ? (int)r->sessions : -1,
		.contention = (int)r->contention,
		.adversary = r->adversary,
		.seed = r->seed,
		.seconds = r->seconds,
		.steps = r->steps,
		.aborts = r->aborts,
	};
	int code = EXIT_FINE;

	for (char **a = r->algorithms; code == EXIT_FINE && *a; a++) {
		m.algorithm = *a;
		code = measure_shapes(&m, r, o);
	}
	if (code)
		return code;
	if (o->largest_count == 0)
		return usage_error("rmr", "%s", o->error);
	return o->any_above ? EXIT_VIOLATED : EXIT_FINE;
}

static int print_json(const struct request *r, struct output *o)
{
	struct json *j = &o->json;
	int code;

	json_begin(j, JSON_SPACED);
	json_open_array(j, "rows");
	code = measure_rows(r, o);
	json_close_array(j);
	write_skipped(j, o);
	json_put_integer(j, "seed", (int64_t)r->seed);
	if (code != EXIT_FINE && code != EXIT_VIOLATED) {
		json_discard(j);
		return code;
	}
	return json_print(j) ? code : internal_error("rmr", "out of memory");
}

static int print_table(const struct request *r, struct output *o)
{
	int code = measure_rows(r, o);

	if (code == EXIT_FINE || code == EXIT_VIOLATED)
		print_skipped(o);
	return code;
}

static int measure_all(const struct request *r)
{
	struct output o = { .name_width = 9, .as_json = r->json };
	size_t count = 0;
	int code;

	for (char **a = r->algorithms; *a; a++, count++)
		if (o.name_width < (int)strlen(*a))
			o.name_width = (int)strlen(*a);
	o.largest = calloc(count, sizeof *o.largest);
	if (!o.largest)
		return internal_error("rmr", "out of memory");
	code = r->json ? print_json(r, &o) : print_table(r, &o);
	for (size_t i = 0; i < o.skipped_count; i++)
		free(o.skipped[i]);
	free(o.skipped);
	free(o.largest);
	return code;
}

/* Returns EXIT_FINE, or an exit code after an error message. */
static int check_request(const struct request *r)
{
	if (!*r->algorithms)
		return usage_error("rmr", "which algorithm?  'atmost "
					  "algorithms' lists them");
	if (!r->n.count)
		return usage_error("rmr", "-n is missing: the number of "
					  "processes");
	if (r->steps && r->seconds > 0)
		return usage_error("rmr", "--steps and --time cannot be "
					  "combined");
	if (r->model && strcmp(r->model, "cc") != 0 &&
	    strcmp(r->model, "dsm") != 0)
		return usage_error("rmr", "--model takes cc or dsm, not '%s'",
				   r->model);
	if ((r->smart_cache || r->writer_keeps) && r->model &&
	    strcmp(r->model, "dsm") == 0)
		return usage_error("rmr",
				   "%s needs a cache, which --model dsm does "
				   "not have",
				   r->smart_cache ? "--smart-cache"
						  : "--writer-keeps");
	for (size_t i = 0; i < r->n.count; i++)
		if (r->contention > r->n.value[i])
			return usage_error("rmr",
					   "--contention is %" PRIu64
					   ", more than "
					   "the %" PRIu64 " processes of -n",
					   r->contention, r->n.value[i]);
	return EXIT_FINE;
}

int command_rmr(int argc, char **argv)
{
	struct request r = { .seed = 1 };
	struct setting settings[] = {
		{ "n", SETTING_NUMBERS, &r.n, 1, 65535, NULL },
		{ "k", SETTING_NUMBERS, &r.k, 0, 65535, NULL },
		{ "m", SETTING_NUMBER, &r.sessions, 1, 65535, NULL },
		{ "contention", SETTING_NUMBER, &r.contention, 1, 65535, NULL },
		{ "model", SETTING_TEXT, &r.model, 0, 0, NULL },
		{ "smart-cache", SETTING_FLAG, &r.smart_cache, 0, 0, NULL },
		{ "writer-keeps", SETTING_FLAG, &r.writer_keeps, 0, 0, NULL },
		{ "aborts", SETTING_FLAG, &r.aborts, 0, 0, NULL },
		{ "adversary", SETTING_TEXT, &r.adversary, 0, 0, NULL },
		{ "seed", SETTING_NUMBER, &r.seed, 0, INT64_MAX, NULL },
		{ "time", SETTING_SECONDS, &r.seconds, 0, 0, NULL },
		{ "steps", SETTING_NUMBER, &r.steps, 1, INT64_MAX, NULL },
		{ "json", SETTING_FLAG, &r.json, 0, 0, NULL },
	};
	int code;

	if (!options_read(argc, argv, settings,
			  sizeof settings / sizeof *settings, &code))
		return code;
	r.algorithms = argv + optind;
	code = check_request(&r);
	return code ? code : measure_all(&r);
}
