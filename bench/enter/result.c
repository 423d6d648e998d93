/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON is {"format": 1, "machine", "seed", "turn_ns", "seconds",
 * "figures": [{"part", "where", "who", "what", "unit", "median", "low", "high",
 * "goal": null | "<= 1.2" | ..., "met": null | bool, "void": bool,
 * "samples": [...]}]}.
 */
#include "bench/enter/result.h"

#include "bench/common/parts.h"

#include <stdarg.h>
#include <stdio.h>

static bool is_met(const struct result *r, double value)
{
	switch (r->goal) {
	case AT_MOST:
		return value <= r->target;
	case AT_LEAST:
		return value >= r->target;
	case BELOW:
		return value < r->target;
	case NO_GOAL:
		break;
	}
	return true;
}

static json_t *samples_of(const struct result *r)
{
	json_t *samples = json_array();

	for (size_t i = 0; i < r->count; i++)
		json_array_append_new(samples, json_real(r->sample[i]));
	return samples;
}

static void record(const struct result *r, const struct interval *v,
		   const char *goal, json_t *samples)
{
	parts_record("figures",
		     json_pack("{ss ss ss ss ss sf sf sf so so sb so}", "part",
			       parts_letter(), "where", r->where, "who", r->who,
			       "what", r->what, "unit", r->unit, "median",
			       v->median, "low", v->low, "high", v->high,
			       "goal",
			       r->goal ? json_string(goal) : json_null(), "met",
			       r->goal ? json_boolean(is_met(r, v->median))
				       : json_null(),
			       "void", r->is_void, "samples", samples));
}

void result_print(struct result *r)
{
	static const char *const signs[] = {
		[AT_MOST] = "<=",
		[AT_LEAST] = ">=",
		[BELOW] = "<",
	};
	json_t *samples = samples_of(r);
	struct interval v = statistics_interval(r->sample, r->count);
	char goal[32] = "", spread[40] = "";
	const char *verdict = "";

	if (r->goal)
		snprintf(goal, sizeof goal, "%s %g", signs[r->goal], r->target);
	if (r->is_void)
		verdict = "VOID";
	else if (r->goal)
		verdict = is_met(r, v.median) ? "met" : "MISSED";
	if (r->count > 1)
		snprintf(spread, sizeof spread, "[%.2f, %.2f]", v.low, v.high);
	printf("%-20s %-17s %-23s %8.2f %-18s %-10s %-7s %s\n", r->where,
	       r->who, r->what, v.median, spread, r->unit, goal, verdict);
	fflush(stdout);
	record(r, &v, goal, samples);
}

void result_print_one(const char *where, const char *who, const char *what,
		      const char *unit, enum goal goal, double target,
		      double value)
{
	struct result r = {
		.where = where,
		.who = who,
		.what = what,
		.unit = unit,
		.goal = goal,
		.target = target,
		.count = 1,
	};

	r.sample[0] = value;
	result_print(&r);
}

void result_print_text(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}
