/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON:
 *
 * {"format": 1, "machine": {...}, "seed", "turn_ns",
 *  "seconds",                   absent if the run did not end
 *  "cells": [
 *   {"part", "subject", "words", "T", "blocks", "slice_seconds",
 *    "void": bool, "null": {"median", "low", "high"},     of ratios
 *    "growth_void", "growth_null",                       of growth
 *    "rows": [              the base first, then the base again
 *     {"name", "series": null | "k" | "n", "k": null | number, "n",
 *      "cpu_ns", "operations_per_second",
 *      "ratio", "rate_ratio",     to the base in the same block
 *      "growth": null | {...},    of cpu_ns, to the first of the series
 *      "samples": [{"cpu_ns", "operations_per_second"}]}]}],
 *  "counts": [{"subject", "name", "series", "k", "n",
 *              "instructions": null | number, "system_calls"}],
 *  "ends": [{"part", "name", "k", "held", "rounds", "went_on", "whole",
 *            "done", "continued", "others", "state", "told"}]}
 *
 * Every field without a type is a name, a number or {"median", "low", "high"}.
 * docs/bench.md says what each field means.
 */
#include "bench/resilient/results.h"

#include "bench/common/json.h"
#include "bench/common/parts.h"

#include <stdio.h>

/* Returns null for 0 and below, which mean that there is no value. */
static json_t *number_or_null(double value)
{
	return value > 0 ? json_real(value) : json_null();
}

static json_t *name_json(const struct cell *c, const struct row *row)
{
	const struct instance *i = &c->slices.instances[row->instance];
	const char series[] = { row->series, '\0' };

	return json_pack("{ss so so so}", "name", row->name, "series",
			 row->series ? json_string(series) : json_null(), "k",
			 i->k ? json_integer(i->k) : json_null(), "n",
			 i->n ? json_integer(i->n) : json_null());
}

static json_t *samples_of(const struct cell *c, const struct row *row)
{
	json_t *samples = json_array();

	for (unsigned b = 0; b < c->blocks; b++) {
		const struct slice *s = &c->samples[row->instance][b];

		json_array_append_new(samples,
				      json_pack("{sf sf}", "cpu_ns", s->cpu,
						"operations_per_second",
						s->rate));
	}
	return samples;
}

static json_t *row_json(const struct cell *c, const struct row *row)
{
	json_t *one = name_json(c, row);

	json_object_update_new(
		one,
		json_pack("{so so so so so so}", "cpu_ns",
			  json_interval(&row->cpu), "operations_per_second",
			  json_interval(&row->rate), "ratio",
			  json_interval(&row->ratio), "rate_ratio",
			  json_interval(&row->rate_ratio), "growth",
			  row_grows(row) ? json_interval(&row->growth)
					 : json_null(),
			  "samples", samples_of(c, row)));
	return one;
}

static void record_cell(const struct cell *c)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < c->row_count; i++)
		json_array_append_new(rows, row_json(c, &c->rows[i]));
	parts_record("cells",
		     json_pack("{ss ss si si si sf sb so sb so so}", "part",
			       parts_letter(), "subject",
			       subject_name(c->subject), "words",
			       (int)subject_words(c->subject), "T",
			       (int)c->threads, "blocks", (int)c->blocks,
			       "slice_seconds", c->slice, "void", c->is_void,
			       "null", json_interval(&c->rows[AGAIN].ratio),
			       "growth_void", c->growth_is_void, "growth_null",
			       json_interval(&c->rows[c->object_again].growth),
			       "rows", rows));
}

/* Returns a text such as "object k=4 n=64". */
static const char *label(const struct cell *c, const struct row *row,
			 char *text, size_t size)
{
	const struct instance *i = &c->slices.instances[row->instance];

	if (row->series)
		snprintf(text, size, "%s k=%u n=%u", row->name, i->k, i->n);
	else
		snprintf(text, size, "%s", row->name);
	return text;
}

static void print_row(const struct cell *c, const struct row *row)
{
	const struct instance *first = &c->slices.instances[row->first];
	char name[40], to[16] = "itself", growth[64] = "";

	if (row->series)
		snprintf(to, sizeof to, "%c=%u", row->series,
			 row->series == 'k' ? first->k : first->n);
	if (row_grows(row))
		snprintf(growth, sizeof growth, "%6.2f [%5.2f, %5.2f] x %s",
			 row->growth.median, row->growth.low, row->growth.high,
			 to);
	printf("%-18s %9.1f  %7.2f [%6.2f, %6.2f] %11.0f  %s\n",
	       label(c, row, name, sizeof name), row->cpu.median,
	       row->ratio.median, row->ratio.low, row->ratio.high,
	       row->rate.median, growth);
}

static void print_void(const char *column, const char *of,
		       const struct interval *null)
{
	printf("VOID, %s: the ratio of the %s to itself is %.2f to %.2f, not "
	       "within 0.9 to 1.1\n",
	       column, of, null->low, null->high);
}

void results_cell(const struct cell *c)
{
	printf("\n%s, T=%u: %u blocks of %zu slices of %g s\n",
	       subject_name(c->subject), c->threads, c->blocks,
	       c->slices.instance_count, c->slice);
	printf("%-18s %9s  %-25s %12s  %s\n", "", "CPU ns", "x mutex [95%]",
	       "operations/s", "growth of CPU ns [95%]");
	for (size_t i = 0; i < c->row_count; i++)
		print_row(c, &c->rows[i]);
	if (c->is_void)
		print_void("x mutex", "mutex", &c->rows[AGAIN].ratio);
	if (c->growth_is_void)
		print_void("growth", "object",
			   &c->rows[c->object_again].growth);
	fflush(stdout);
	record_cell(c);
}

static const char *count_text(double value, char *text, size_t size)
{
	snprintf(text, size, "%.1f", value);
	return value < 0 ? "not counted" : text;
}

void results_counts(const struct cell *c, const struct counts *counts)
{
	char name[40], instructions[32], calls[32];
	json_t *one = name_json(c, counts->row);

	printf("%-17s %-18s %12s %13s\n", subject_name(c->subject),
	       label(c, counts->row, name, sizeof name),
	       count_text(counts->instructions, instructions,
			  sizeof instructions),
	       count_text(counts->calls, calls, sizeof calls));
	fflush(stdout);
	json_object_update_new(
		one,
		json_pack("{ss so so}", "subject", subject_name(c->subject),
			  "instructions", number_or_null(counts->instructions),
			  "system_calls",
			  counts->calls < 0 ? json_null()
					    : json_real(counts->calls)));
	parts_record("counts", one);
}

/* Returns `yes` if count is equal to rounds, and `no` if count is 0. */
static const char *verdict(unsigned count, unsigned rounds, const char *yes,
			   const char *no)
{
	return count == rounds ? yes : count == 0 ? no : "differs";
}

void results_interruption(const struct interruption *i)
{
	const char *others = verdict(i->went_on, i->rounds, "go on", "stopped");
	const char *state = verdict(i->whole, i->rounds,
				    verdict(i->done, i->rounds, "whole, done",
					    "whole, not done"),
				    "torn");
	char name[40];

	if (i->went_on == 0 && i->continued == i->rounds)
		others = "wait";
	snprintf(name, sizeof name, i->k ? "%s k=%u" : "%s", i->name, i->k);
	printf("%-18s %6u %7u   %-10s %-17s %s\n", name, i->held, i->rounds,
	       others, state, i->told);
	fflush(stdout);
	parts_record("ends",
		     json_pack("{ss ss so si si si si si si ss ss ss}", "part",
			       parts_letter(), "name", i->name, "k",
			       i->k ? json_integer(i->k) : json_null(), "held",
			       (int)i->held, "rounds", (int)i->rounds,
			       "went_on", (int)i->went_on, "whole",
			       (int)i->whole, "done", (int)i->done, "continued",
			       (int)i->continued, "others", others, "state",
			       state, "told", i->told));
}
