/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost rmr: how many remote references a passage costs, row by row. */
#include "checker/check.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct request {
	char **algorithms; /* ended by NULL */
	struct numbers n, k;
	uint64_t sessions, contention, seed;
	const char *model, *adversary;
	uint64_t steps;
	double seconds;
	bool smart_cache, aborts, json;
};

struct table {
	int name;              /* width of the first column */
	json_t *rows;          /* NULL: print each as it comes */
	json_t *largest;       /* n that was done, of each algorithm */
	json_t *skipped;       /* why something was too large */
	char error[LAB_ERROR]; /* the last of these */
	bool has_heading, any_above;
};

static bool is_above(const struct lab_row *r)
{
	if (r->has_bound && (r->waits_on[0] || r->worst > r->bound))
		return true;
	return r->has_bound_outside && r->has_worst && r->has_outside &&
	       r->worst_outside > r->bound_outside;
}

static const char *model_name(enum lab_model model)
{
	return model == LAB_CC ? "cc" : "dsm";
}

static void print_heading(struct table *t)
{
	if (!t->has_heading)
		printf("%-*s %5s %4s %6s  %-5s %7s %8s %7s\n", t->name,
		       "algorithm", "n", "k", "active", "model", "worst",
		       "mean", "bound");
	t->has_heading = true;
}

static void print_row(struct table *t, const struct lab_measure *m,
		      const struct lab_row *r)
{
	struct brief worst = { "-" }, mean = { "-" }, bound = { "-" };

	if (r->has_worst)
		snprintf(worst.text, sizeof worst.text, "%" PRIu64, r->worst);
	if (r->has_mean)
		snprintf(mean.text, sizeof mean.text, "%.2f", r->mean);
	if (r->has_bound)
		snprintf(bound.text, sizeof bound.text, "%" PRIu64, r->bound);
	print_heading(t);
	printf("%-*s %5u %4u %6u  %-5s %7s %8s %7s  ", t->name, r->algorithm,
	       r->n, r->k, r->contention, model_name(m->model), worst.text,
	       mean.text, bound.text);
	if (r->has_worst || r->has_together)
		printf("%-10s  %s", r->bound_text ? r->bound_text : "",
		       r->note[0] ? r->note : r->method);
	else if (r->waits_on[0])
		printf("unbounded: waits on %s", r->waits_on);
	else
		printf("no passage ended in time");
	if (is_above(r))
		printf("  %sABOVE ITS BOUND%s", bold_on(), bold_off());
	putchar('\n');
	fflush(stdout); /* before the next one, which may take minutes, forks */
}

static json_t *number_or_null(bool is_there, uint64_t value)
{
	return is_there ? json_integer((json_int_t)value) : json_null();
}

static json_t *row_json(const struct lab_measure *m, const struct lab_row *r)
{
	return json_pack(
		"{ss si si si ss sb sb so so so so so so ss? ss sI sI ss? ss?}",
		"algorithm", r->algorithm, "n", (int)r->n, "k", (int)r->k,
		"contention", (int)r->contention, "model", model_name(m->model),
		"smart_cache", r->smart_cache, "aborts", r->aborts, "worst",
		number_or_null(r->has_worst, r->worst), "worst_outside",
		number_or_null(r->has_worst && r->has_outside,
			       r->worst_outside),
		"mean", r->has_mean ? json_real(r->mean) : json_null(), "bound",
		number_or_null(r->has_bound, r->bound), "bound_outside",
		number_or_null(r->has_bound_outside, r->bound_outside),
		"together", number_or_null(r->has_together, r->together),
		"bound_text", r->bound_text, "method", r->method, "passages",
		(json_int_t)r->passages, "states", (json_int_t)r->states,
		"waits_on", r->waits_on[0] ? r->waits_on : NULL, "note",
		r->note[0] ? r->note : NULL);
}

static void note_largest(struct table *t, const struct lab_row *r)
{
	json_t *largest = json_object_get(t->largest, r->algorithm);

	if (!largest || json_integer_value(largest) < (json_int_t)r->n)
		json_object_set_new(t->largest, r->algorithm,
				    json_integer((json_int_t)r->n));
}

static int measure(const struct lab_measure *m, struct table *t)
{
	struct lab_row row;
	bool usage = false, done;

	memset(&row, 0, sizeof row);
	progress_say("measuring %s, n=%d, %s ...", m->algorithm, m->n,
		     model_name(m->model));
	done = lab_measure(m, &row, t->error, &usage);
	progress_erase();
	if (row.too_large) {
		json_array_append_new(t->skipped, json_string(t->error));
		return EXIT_FINE;
	}
	if (!done)
		return usage ? usage_error("rmr", "%s", t->error)
			     : internal_error("rmr", "%s", t->error);
	t->any_above |= is_above(&row);
	note_largest(t, &row);
	if (t->rows)
		json_array_append_new(t->rows, row_json(m, &row));
	else
		print_row(t, m, &row);
	return EXIT_FINE;
}

static int measure_models(struct lab_measure *m, const struct request *r,
			  struct table *t)
{
	static const enum lab_model models[] = { LAB_CC, LAB_DSM };
	int code = EXIT_FINE;

	for (size_t i = 0; code == EXIT_FINE && i < 2; i++) {
		m->model = models[i];
		m->smart_cache = r->smart_cache && m->model == LAB_CC;
		if (!r->model || strcmp(r->model, model_name(m->model)) == 0)
			code = measure(m, t);
	}
	return code;
}

static int measure_shapes(struct lab_measure *m, const struct request *r,
			  struct table *t)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < r->n.count; i++) {
		m->n = (int)r->n.value[i];
		if (r->k.count == 0) {
			m->k = -1;
			code = measure_models(m, r, t);
		}
		for (size_t j = 0; code == EXIT_FINE && j < r->k.count; j++) {
			m->k = (int)r->k.value[j];
			code = measure_models(m, r, t);
		}
		if (code)
			break;
	}
	return code;
}

static void print_largest(const struct table *t)
{
	const char *name;
	json_t *each;
	size_t i;

	json_array_foreach(t->skipped, i, each)
		printf("not done: %s\n", json_string_value(each));
	if (json_array_size(t->skipped) == 0)
		return;
	json_object_foreach(t->largest, name, each)
		printf("largest n done: %s, n=%" JSON_INTEGER_FORMAT "\n", name,
		       json_integer_value(each));
}

static int tell(const struct request *r, struct table *t)
{
	int code = t->any_above ? EXIT_VIOLATED : EXIT_FINE;

	if (json_object_size(t->largest) == 0)
		return usage_error("rmr", "%s", t->error);
	if (r->json)
		return print_json("rmr",
				  json_pack("{si sO sO sO sI}", "format", 1,
					    "rows", t->rows, "largest_n",
					    t->largest, "skipped", t->skipped,
					    "seed", (json_int_t)r->seed),
				  code);
	print_largest(t);
	return code;
}

static int measure_all(const struct request *r)
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
	struct table t = { .name = 9,
			   .rows = r->json ? json_array() : NULL,
			   .largest = json_object(),
			   .skipped = json_array() };
	int code = EXIT_FINE;

	for (char **a = r->algorithms; *a; a++)
		if (t.name < (int)strlen(*a))
			t.name = (int)strlen(*a);
	for (char **a = r->algorithms; code == EXIT_FINE && *a; a++) {
		m.algorithm = *a;
		code = measure_shapes(&m, r, &t);
	}
	if (!code)
		code = tell(r, &t);
	json_decref(t.rows);
	json_decref(t.largest);
	json_decref(t.skipped);
	return code;
}

/* What can be said without measuring. */
static int complain(const struct request *r)
{
	if (!*r->algorithms)
		return usage_error("rmr", "which algorithm?  'atmost "
					  "algorithms' lists them");
	if (!r->n.count)
		return usage_error("rmr", "-n is missing: for how many "
					  "processes?");
	if (r->steps && r->seconds > 0)
		return usage_error("rmr", "--steps and --time exclude each "
					  "other");
	if (r->model && strcmp(r->model, "cc") != 0 &&
	    strcmp(r->model, "dsm") != 0)
		return usage_error("rmr", "--model is cc or dsm, not '%s'",
				   r->model);
	if (r->smart_cache && r->model && strcmp(r->model, "dsm") == 0)
		return usage_error("rmr", "--smart-cache is about caches, "
					  "which --model dsm has not");
	for (size_t i = 0; i < r->n.count; i++)
		if (r->contention > r->n.value[i])
			return usage_error("rmr",
					   "--contention %" PRIu64 " of only "
					   "%" PRIu64 " processes",
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
	code = complain(&r);
	return code ? code : measure_all(&r);
}
