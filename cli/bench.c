/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost bench: runs algorithms on real threads, through the library. */
#include "cli/algorithms.h"
#include "cli/bench_threads.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal_line.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct result {
	struct lab_algorithm algorithm;
	unsigned n, k;
	struct bench_threads_result of;
};

struct request {
	char **algorithms;
	uint64_t n, k;
	double seconds;
	bool json;
};

/* The kind of pool that can use the algorithm; -1: no pool can use it. */
static int pool_kind_of(const struct lab_algorithm *a)
{
	static const struct {
		const char *name;
		enum atmost_kind kind;
	} kinds[] = {
		{ "mutual-exclusion", ATMOST_MUTEX },
		{ "abortable", ATMOST_MUTEX },
		{ "k-exclusion", ATMOST_EXCLUSION },
		{ "k-assignment", ATMOST_ASSIGNMENT },
		{ "group-exclusion", ATMOST_GROUP },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, a->kind) == 0)
			return (int)kinds[i].kind;
	return -1;
}

/* The k of a pool if -k is not given; 0: no limit. */
static unsigned default_k(int kind)
{
	return kind == ATMOST_GROUP ? 0 : 1;
}

static int create(const struct lab_algorithm *a, const struct request *r,
		  struct atmost **pool)
{
	int kind = pool_kind_of(a), error;
	struct atmost_shape shape = {
		.kind = (enum atmost_kind)kind,
		.k = r->k ? (unsigned)r->k : default_k(kind),
		.members = (unsigned)r->n,
		.algorithm = a->name,
	};

	if (a->over_store)
		return usage_error("bench",
				   "%s runs over a store, not in shared "
				   "memory: use 'atmost check'",
				   a->name);
	if (a->simulated_only)
		return usage_error("bench",
				   "%s is simulated only: use 'atmost "
				   "check' or 'atmost rmr'",
				   a->name);
	if (kind < 0)
		return usage_error("bench",
				   "%s is not an exclusion algorithm but "
				   "an %s",
				   a->name, a->kind);
	error = atmost_create(pool, &shape);
	if (error == ATMOST_ENOMEM)
		return internal_error("bench", "%s", atmost_detail());
	return error ? usage_error("bench", "%s", atmost_detail()) : EXIT_FINE;
}

static double per_passage(const struct result *r, double amount)
{
	return r->of.passages ? amount / (double)r->of.passages : 0;
}

static bool is_above(const struct result *r)
{
	return r->k && r->of.most_inside > r->k;
}

static double rate(const struct result *r)
{
	return (double)r->of.passages / r->of.seconds;
}

static void print_result(const struct result *r, int name)
{
	printf("%-*s %7u %3u %12s %7u   %5.1f%% .. %.1f%% %9.0f ns", name,
	       r->algorithm.name, r->n, r->k,
	       print_count((uint64_t)rate(r)).text, r->of.most_inside,
	       100 * per_passage(r, (double)r->of.least),
	       100 * per_passage(r, (double)r->of.most),
	       1e9 * per_passage(r, r->of.cpu));
	if (is_above(r))
		printf("  %sMORE THAN K%s", bold_on(), bold_off());
	putchar('\n');
}

static void write_result(struct json *j, const struct result *r)
{
	json_open_object(j, NULL);
	json_text(j, "algorithm", r->algorithm.name);
	json_put_integer(j, "n", r->n);
	json_put_integer(j, "k", r->k);
	json_put_real(j, "seconds", r->of.seconds);
	json_put_integer(j, "passages", (int64_t)r->of.passages);
	json_put_real(j, "passages_per_second", rate(r));
	json_put_integer(j, "most_inside", r->of.most_inside);
	json_put_real(j, "least_share", per_passage(r, (double)r->of.least));
	json_put_real(j, "greatest_share", per_passage(r, (double)r->of.most));
	json_put_real(j, "cpu_seconds_per_passage", per_passage(r, r->of.cpu));
	json_close_object(j);
}

/* Measures one algorithm; with `only_try`, only checks that the algorithm can
 * be measured. */
static int bench(const char *name, const struct request *r,
		 struct result *result, bool only_try)
{
	struct lab_algorithm *a = &result->algorithm;
	struct atmost *pool;
	char why[LAB_ERROR];
	bool done = true;
	int code = algorithm_find("bench", name, a);

	if (!code)
		code = create(a, r, &pool);
	if (code)
		return code;
	result->n = (unsigned)r->n;
	result->k = r->k ? (unsigned)r->k : default_k(pool_kind_of(a));
	if (!only_try) {
		terminal_line_print("running %s for %.1f s ...", name,
				    r->seconds);
		done = bench_threads_run(pool, result->n, r->seconds,
					 pool_kind_of(a) == ATMOST_GROUP,
					 &result->of, why, sizeof why);
		terminal_line_erase();
	}
	if (!done)
		return internal_error("bench", "%s: %s", name, why);
	atmost_close(pool);
	return EXIT_FINE;
}

/* Reports an error in any argument before the first measurement.  Stores the
 * width of the first column in *width. */
static int try_all(const struct request *r, int *width)
{
	*width = 9;
	for (char **a = r->algorithms; *a; a++) {
		struct result trial = { 0 };
		int code = bench(*a, r, &trial, true);

		if (code)
			return code;
		if (*width < (int)strlen(*a))
			*width = (int)strlen(*a);
	}
	return EXIT_FINE;
}

/* Writes the rows to `j`, or prints them if `j` is NULL. */
static int bench_rows(const struct request *r, int width, struct json *j)
{
	bool any_above = false;

	for (char **a = r->algorithms; *a; a++) {
		struct result result = { 0 };
		int code;

		fflush(stdout);
		code = bench(*a, r, &result, false);
		if (code)
			return code;
		any_above |= is_above(&result);
		if (j)
			write_result(j, &result);
		else
			print_result(&result, width);
	}
	return any_above ? EXIT_VIOLATED : EXIT_FINE;
}

static int bench_all(const struct request *r)
{
	struct json j;
	int width, code = try_all(r, &width);

	if (code)
		return code;
	if (!r->json) {
		printf("%-*s threads   k   passages/s  inside   "
		       "share of a thread  CPU per passage\n",
		       width, "algorithm");
		return bench_rows(r, width, NULL);
	}
	json_begin(&j, JSON_SPACED);
	json_open_array(&j, "rows");
	code = bench_rows(r, width, &j);
	json_close_array(&j);
	if (code != EXIT_FINE && code != EXIT_VIOLATED) {
		json_discard(&j);
		return code;
	}
	return json_print(&j) ? code : internal_error("bench", "out of memory");
}

int command_bench(int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct request r = { .n = processors > 2 ? (uint64_t)processors : 2,
			     .seconds = 1 };
	struct setting settings[] = {
		{ "n", SETTING_NUMBER, &r.n, 1, MOST_THREADS, NULL },
		{ "k", SETTING_NUMBER, &r.k, 1, MOST_THREADS, NULL },
		{ "seconds", SETTING_SECONDS, &r.seconds, 0, 0, NULL },
		{ "json", SETTING_FLAG, &r.json, 0, 0, NULL },
	};
	int code;

	if (!options_read(argc, argv, settings,
			  sizeof settings / sizeof *settings, &code))
		return code;
	r.algorithms = argv + optind;
	if (!*r.algorithms)
		return usage_error("bench", "which algorithm?  'atmost "
					    "algorithms' lists them");
	return bench_all(&r);
}
