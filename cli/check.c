/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost check: runs the model checker and prints its answer. */
#include "cli/check_output.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal_line.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdio.h>

static const double progress_interval = 0.2; /* seconds */

struct request {
	struct lab_question question;
	struct texts properties;
	struct numbers passages, resize;
	uint64_t n, k, sessions, crashes, deaths, aborts, faults, steps_of,
		depth, workers;
	bool json;
};

enum {
	N,
	K,
	SESSIONS,
	PASSAGES,
	RESIZE,
	CRASHES,
	DEATHS,
	ABORTS,
	FAULTS,
	NO_CLOCKS,
	PROPERTY,
	STEPS_OF,
	RANDOM,
	SEED,
	DEPTH,
	TIME,
	MEMORY,
	WORKERS,
	JSON,
	SETTINGS
};

/* The value of a setting; -1: it is not given. */
static int number_of(const struct setting *s)
{
	return s->given ? (int)*(uint64_t *)s->value : -1;
}

static int read_properties(struct request *r)
{
	for (size_t i = 0; i < r->properties.count; i++) {
		const char *name = r->properties.text[i];
		int number = lab_property_number(name);
		char near[LAB_ERROR];

		if (number < 0) {
			lab_nearest_property(name, near, sizeof near);
			return usage_error("check", "unknown property '%s'; %s",
					   name, near);
		}
		r->question.properties |= 1u << number;
	}
	return EXIT_FINE;
}

static int read_passages(struct request *r)
{
	struct lab_question *q = &r->question;

	if (r->passages.count > LAB_MAX_N)
		return usage_error("check",
				   "--passages lists %zu processes; "
				   "there can be at most %d",
				   r->passages.count, LAB_MAX_N);
	for (size_t i = 0; i < r->passages.count; i++) {
		if (q->random && r->passages.value[i] == 0)
			return usage_error("check", "--passages 0 (unbounded) "
						    "and --random cannot be "
						    "combined");
		q->passages[i] = (int)r->passages.value[i];
	}
	q->passage_count = (int)r->passages.count;
	return EXIT_FINE;
}

static int read_resize(struct request *r)
{
	struct lab_question *q = &r->question;

	if (r->resize.count > LAB_MAX_RESIZES)
		return usage_error("check", "--resize takes at most %d numbers",
				   LAB_MAX_RESIZES);
	for (size_t i = 0; i < r->resize.count; i++)
		q->resize[i] = (int)r->resize.value[i];
	q->resize_count = (int)r->resize.count;
	return EXIT_FINE;
}

static int complete(struct request *r, const struct setting *s)
{
	struct lab_question *q = &r->question;
	int code;

	if (!q->random && (s[SEED].given || s[DEPTH].given))
		return usage_error("check", "--%s needs --random",
				   s[SEED].given ? "seed" : "depth");
	q->n = number_of(&s[N]);
	q->k = number_of(&s[K]);
	q->sessions = number_of(&s[SESSIONS]);
	q->crashes = number_of(&s[CRASHES]);
	q->deaths = number_of(&s[DEATHS]);
	q->aborts = number_of(&s[ABORTS]);
	q->faults = number_of(&s[FAULTS]);
	q->depth = number_of(&s[DEPTH]);
	q->workers = (int)r->workers;
	q->steps_of = s[STEPS_OF].given ? 1u << r->steps_of : 0;
	code = read_properties(r);
	if (!code)
		code = read_resize(r);
	return code ? code : read_passages(r);
}

/* False: the caller must return *code. */
static bool read_request(struct request *r, int argc, char **argv, int *code)
{
	struct lab_question *q = &r->question;
	struct setting s[SETTINGS] = {
		[N] = { "n", SETTING_NUMBER, &r->n, 1, LAB_MAX_N, NULL },
		[K] = { "k", SETTING_NUMBER, &r->k, 0, 1000, NULL },
		[SESSIONS] = { "m", SETTING_NUMBER, &r->sessions, 1, 1000,
			       NULL },
		[PASSAGES] = { "passages", SETTING_NUMBERS, &r->passages, 0,
			       254, NULL },
		[RESIZE] = { "resize", SETTING_NUMBERS, &r->resize, 0, 1000,
			     NULL },
		[CRASHES] = { "crashes", SETTING_NUMBER, &r->crashes, 0,
			      LAB_MAX_N, NULL },
		[DEATHS] = { "deaths", SETTING_NUMBER, &r->deaths, 0, 254,
			     NULL },
		[ABORTS] = { "aborts", SETTING_NUMBER, &r->aborts, 0, 254,
			     NULL },
		[FAULTS] = { "faults", SETTING_NUMBER, &r->faults, 0, 254,
			     NULL },
		[NO_CLOCKS] = { "no-clocks", SETTING_FLAG, &q->no_clocks, 0, 0,
				NULL },
		[PROPERTY] = { "property", SETTING_TEXTS, &r->properties, 0, 0,
			       NULL },
		[STEPS_OF] = { "steps-of", SETTING_NUMBER, &r->steps_of, 0,
			       LAB_MAX_N - 1, NULL },
		[RANDOM] = { "random", SETTING_FLAG, &q->random, 0, 0, NULL },
		[SEED] = { "seed", SETTING_NUMBER, &q->seed, 0, INT64_MAX,
			   NULL },
		[DEPTH] = { "depth", SETTING_NUMBER, &r->depth, 1, 1000000,
			    NULL },
		[TIME] = { "time", SETTING_SECONDS, &q->seconds, 0, 0, NULL },
		[MEMORY] = { "memory", SETTING_BYTES, &q->memory, 0, 0, NULL },
		[WORKERS] = { "workers", SETTING_NUMBER, &r->workers, 1, 8,
			      NULL },
		[JSON] = { "json", SETTING_FLAG, &r->json, 0, 0, NULL },
	};

	if (!options_read(argc, argv, s, SETTINGS, code))
		return false;
	if (argc - optind != 1)
		*code = argc == optind
				? usage_error("check", "which algorithm?  "
						       "'atmost algorithms' "
						       "lists them")
				: usage_error("check",
					      "only one algorithm at a time: "
					      "'%s' is one operand too many",
					      argv[optind + 1]);
	else
		*code = complete(r, s);
	q->algorithm = argv[optind];
	return *code == EXIT_FINE;
}

static int exit_code_of(const struct lab_answer *a)
{
	switch (a->verdict) {
	case LAB_HOLDS:
		return EXIT_FINE;
	case LAB_VIOLATED:
		return EXIT_VIOLATED;
	case LAB_BOUNDED:
		return EXIT_BOUNDED;
	case LAB_FAILED:
		break;
	}
	return EXIT_INTERNAL;
}

/* The used share of a limit, as " (12%)"; empty if there is no limit. */
static struct short_text percentage(double used, double limit)
{
	struct short_text text = { "" };

	if (limit > 0)
		snprintf(text.text, sizeof text.text, " (%u%%)",
			 (unsigned)(100 * used / limit));
	return text;
}

static void show_progress(const struct lab_progress *p)
{
	double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;

	terminal_line_print(
		"%s: %s states, %s/s, depth %s, memory %s%s, %.0f s%s",
		p->stage, print_count(p->states).text,
		print_count((uint64_t)rate).text, print_count(p->depth).text,
		print_size(p->memory).text,
		percentage((double)p->memory, (double)p->memory_limit).text,
		p->seconds, percentage(p->seconds, p->seconds_limit).text);
}

int command_check(int argc, char **argv)
{
	struct request r = { .question = { .seed = 1 } };
	struct lab_progress progress;
	const struct lab_answer *answer;
	struct lab_check *check;
	char error[LAB_ERROR];
	int code;

	if (!read_request(&r, argc, argv, &code))
		return code;
	check = lab_check_start(&r.question, error);
	if (!check)
		return usage_error("check", "%s", error);
	while (lab_check_advance(check, progress_interval, &progress))
		show_progress(&progress);
	terminal_line_erase();
	answer = lab_check_answer(check);
	code = exit_code_of(answer);
	if (code == EXIT_INTERNAL)
		internal_error("check", "%s", answer->message);
	else if (r.json)
		code = check_output_print_json(answer, &r.question)
			       ? code
			       : internal_error("check", "out of memory");
	else
		check_output_print(answer, &r.question);
	lab_check_end(check);
	return code;
}
