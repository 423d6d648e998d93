/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON has {"format": 1, "machine", "seed", "turn_ns", "seconds",
 * "figures": [{"part", "where", "who", "what", "unit", "median", "low", "high",
 * "goal": null | "<= 1.2" | ..., "met": null | bool, "void": bool,
 * "samples": [...]}]}.
 */
#include "bench/enter/figure.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static json_t *all;
static char part[2];

void figures_begin(const struct machine *m, uint64_t seed, double speed)
{
	machine_tell(m, seed, speed);
	all = machine_json(m, seed, speed);
	json_object_set_new(all, "figures", json_array());
}

void figures_part(char letter, const char *title)
{
	part[0] = letter;
	printf("\n%c. %s\n", letter, title);
	fflush(stdout);
}

static bool is_met(const struct figure *f, double value)
{
	switch (f->goal) {
	case AT_MOST:
		return value <= f->target;
	case AT_LEAST:
		return value >= f->target;
	case BELOW:
		return value < f->target;
	case NO_GOAL:
		break;
	}
	return true;
}

static const char *goal_text(const struct figure *f, char *text, size_t size)
{
	static const char *const signs[] = {
		[AT_MOST] = "<=",
		[AT_LEAST] = ">=",
		[BELOW] = "<",
	};

	text[0] = '\0';
	if (f->goal)
		snprintf(text, size, "%s %g", signs[f->goal], f->target);
	return text;
}

static json_t *samples_of(const struct figure *f)
{
	json_t *samples = json_array();

	for (size_t i = 0; i < f->count; i++)
		json_array_append_new(samples, json_real(f->sample[i]));
	return samples;
}

static void keep(const struct figure *f, const struct interval *v,
		 const char *goal, json_t *samples)
{
	json_t *one = json_pack("{ss ss ss ss ss sf sf sf so so sb so}", "part",
				part, "where", f->where, "who", f->who, "what",
				f->what, "unit", f->unit, "median", v->median,
				"low", v->low, "high", v->high, "goal",
				f->goal ? json_string(goal) : json_null(),
				"met",
				f->goal ? json_boolean(is_met(f, v->median))
					: json_null(),
				"void", f->is_void, "samples", samples);

	json_array_append_new(json_object_get(all, "figures"), one);
}

void figure_show(struct figure *f)
{
	json_t *samples = samples_of(f);
	struct interval v = statistics_interval(f->sample, f->count);
	char goal[32], spread[40] = "";
	const char *verdict = "";

	goal_text(f, goal, sizeof goal);
	if (f->is_void)
		verdict = "VOID";
	else if (f->goal)
		verdict = is_met(f, v.median) ? "met" : "MISSED";
	if (f->count > 1)
		snprintf(spread, sizeof spread, "[%.2f, %.2f]", v.low, v.high);
	printf("%-20s %-17s %-23s %8.2f %-18s %-10s %-7s %s\n", f->where,
	       f->who, f->what, v.median, spread, f->unit, goal, verdict);
	fflush(stdout);
	keep(f, &v, goal, samples);
}

void figure_fact(const char *where, const char *who, const char *what,
		 const char *unit, enum goal goal, double target, double value)
{
	struct figure f = {
		.where = where,
		.who = who,
		.what = what,
		.unit = unit,
		.goal = goal,
		.target = target,
		.count = 1,
	};

	f.sample[0] = value;
	figure_show(&f);
}

void figures_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

/* In place of the old file at once: nobody reads half of one. */
static bool write_file(const char *file)
{
	char beside[4096];
	int length = snprintf(beside, sizeof beside, "%s.new", file);

	errno = ENAMETOOLONG;
	if (length < 0 || (size_t)length >= sizeof beside)
		return false;
	errno = EIO;
	if (json_dump_file(all, beside,
			   JSON_INDENT(1) | JSON_REAL_PRECISION(6)) < 0)
		return false;
	return rename(beside, file) == 0;
}

bool figures_end(const char *json, double seconds)
{
	bool written;

	printf("\ntook %.0f s\n", seconds);
	json_object_set_new(all, "seconds", json_real(seconds));
	written = !json || write_file(json);
	json_decref(all);
	return written;
}
