/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost bench: the algorithms on real threads, through the public interface.
 * A counter that knows nothing of the algorithm says how many were inside.
 */
#include "cli/algorithms.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/threads.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct result {
	struct lab_algorithm algorithm;
	unsigned n, k;
	struct threads_result of;
};

struct request {
	char **algorithms;
	uint64_t n, k;
	double seconds;
	bool json;
};

/* The kind of object that runs it, or -1: none does. */
static int object_kind(const struct lab_algorithm *a)
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

/* 0: no limit. */
static unsigned default_k(int kind)
{
	return kind == ATMOST_GROUP ? 0 : 1;
}

static int create(const struct lab_algorithm *a, const struct request *r,
		  struct atmost **object)
{
	int kind = object_kind(a), error;
	struct atmost_shape shape = {
		.kind = (enum atmost_kind)kind,
		.k = r->k ? (unsigned)r->k : default_k(kind),
		.members = (unsigned)r->n,
		.algorithm = a->name,
	};

	if (a->simulated_only)
		return usage_error("bench",
				   "%s is simulated only: 'atmost "
				   "check' and 'atmost rmr' run it",
				   a->name);
	if (kind < 0)
		return usage_error("bench",
				   "%s is no exclusion algorithm but "
				   "an %s",
				   a->name, a->kind);
	error = atmost_create(object, &shape);
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

static json_t *result_json(const struct result *r)
{
	return json_pack("{ss si si sf sI sf si sf sf sf}", "algorithm",
			 r->algorithm.name, "n", (int)r->n, "k", (int)r->k,
			 "seconds", r->of.seconds, "passages",
			 (json_int_t)r->of.passages, "passages_per_second",
			 rate(r), "most_inside", (int)r->of.most_inside,
			 "least_share", per_passage(r, (double)r->of.least),
			 "greatest_share", per_passage(r, (double)r->of.most),
			 "cpu_seconds_per_passage", per_passage(r, r->of.cpu));
}

/* One algorithm; or only whether it could be done. */
static int bench(const char *name, const struct request *r,
		 struct result *result, bool only_try)
{
	struct lab_algorithm *a = &result->algorithm;
	struct atmost *object;
	char why[LAB_ERROR];
	bool done = true;
	int code = algorithm_find("bench", name, a);

	if (!code)
		code = create(a, r, &object);
	if (code)
		return code;
	result->n = (unsigned)r->n;
	result->k = r->k ? (unsigned)r->k : default_k(object_kind(a));
	if (!only_try) {
		progress_say("running %s for %.1f s ...", name, r->seconds);
		done = threads_run(object, result->n, r->seconds,
				   object_kind(a) == ATMOST_GROUP, &result->of,
				   why, sizeof why);
		progress_erase();
	}
	if (!done)
		return internal_error("bench", "%s: %s", name, why);
	atmost_close(object);
	return EXIT_FINE;
}

static int bench_all(const struct request *r)
{
	json_t *rows = r->json ? json_array() : NULL;
	bool any_above = false;
	int code = EXIT_FINE, width = 9;

	for (char **a = r->algorithms; *a; a++) {
		struct result trial = { 0 };

		code = bench(*a, r, &trial, true);
		if (code)
			return code;
		if (width < (int)strlen(*a))
			width = (int)strlen(*a);
	}
	if (!rows)
		printf("%-*s threads   k   passages/s  inside   "
		       "share of a thread  CPU a passage\n",
		       width, "algorithm");
	for (char **a = r->algorithms; *a; a++) {
		struct result result = { 0 };

		fflush(stdout);
		code = bench(*a, r, &result, false);
		if (code)
			return code;
		any_above |= is_above(&result);
		if (rows)
			json_array_append_new(rows, result_json(&result));
		else
			print_result(&result, width);
	}
	code = any_above ? EXIT_VIOLATED : EXIT_FINE;
	return rows ? print_json("bench",
				 json_pack("{si so}", "format", 1, "rows",
					   rows),
				 code)
		    : code;
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
