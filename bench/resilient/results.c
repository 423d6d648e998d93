/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON:
 *
 * {"format": 1, "machine": {...}, "seed", "turn_ns",
 *  "seconds",                   the whole run; absent if it did not end
 *  "cells": [
 *   {"part", "subject", "words", "T", "blocks", "slice_seconds",
 *    "void": bool, "null": {"median", "low", "high"},     of ratios
 *    "growth_void", "growth_null",                       of growth
 *    "rows": [              the base first, then the base again
 *     {"name", "series": null | "k" | "n", "k": null | number, "n",
 *      "cpu_ns", "operations_per_second",
 *      "ratio", "rate_ratio",     to the base's in the same block
 *      "growth": null | {...},    of cpu_ns, to the first of the series
 *      "samples": [{"cpu_ns", "operations_per_second"}]}]}],
 *  "counts": [{"subject", "name", "series", "k", "n",
 *              "instructions": null | number, "system_calls"}],
 *  "ends": [{"part", "name", "k", "held", "rounds", "went_on", "whole",
 *            "done", "continued", "others", "state", "told"}]}
 *
 * with {"median", "low", "high"} where nothing else is said.  docs/bench.md says
 * what each means.
 */
#include "bench/resilient/results.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>

static json_t *all;
static char part[2];

void results_begin(const struct machine *m, uint64_t seed, double speed)
{
	machine_tell(m, seed, speed);
	all = machine_json(m, seed, speed);
	json_object_set_new(all, "cells", json_array());
	json_object_set_new(all, "counts", json_array());
	json_object_set_new(all, "ends", json_array());
}

void results_part(char letter, const char *title)
{
	part[0] = letter;
	printf("\n%c. %s\n", letter, title);
	fflush(stdout);
}

static json_t *interval(const struct interval *i)
{
	return json_pack("{sf sf sf}", "median", i->median, "low", i->low,
			 "high", i->high);
}

/* 0 and what is below: there is none. */
static json_t *number(double value)
{
	return value > 0 ? json_real(value) : json_null();
}

static json_t *who(const struct cell *c, const struct row *row)
{
	const struct stand *s = &c->crew.stands[row->stand];
	const char series[] = { row->series, '\0' };

	return json_pack("{ss so so so}", "name", row->name, "series",
			 row->series ? json_string(series) : json_null(), "k",
			 s->k ? json_integer(s->k) : json_null(), "n",
			 s->n ? json_integer(s->n) : json_null());
}

static json_t *samples_of(const struct cell *c, const struct row *row)
{
	json_t *samples = json_array();

	for (unsigned b = 0; b < c->blocks; b++) {
		const struct slice *s = &c->samples[row->stand][b];

		json_array_append_new(samples,
				      json_pack("{sf sf}", "cpu_ns", s->cpu,
						"operations_per_second",
						s->rate));
	}
	return samples;
}

static json_t *row_json(const struct cell *c, const struct row *row)
{
	json_t *one = who(c, row);

	json_object_update_new(
		one,
		json_pack("{so so so so so so}", "cpu_ns", interval(&row->cpu),
			  "operations_per_second", interval(&row->rate),
			  "ratio", interval(&row->ratio), "rate_ratio",
			  interval(&row->rate_ratio), "growth",
			  row_grows(row) ? interval(&row->growth) : json_null(),
			  "samples", samples_of(c, row)));
	return one;
}

static void keep_cell(const struct cell *c)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < c->row_count; i++)
		json_array_append_new(rows, row_json(c, &c->rows[i]));
	json_array_append_new(
		json_object_get(all, "cells"),
		json_pack("{ss ss si si si sf sb so sb so so}", "part", part,
			  "subject", subject_name(c->subject), "words",
			  (int)subject_words(c->subject), "T", (int)c->threads,
			  "blocks", (int)c->blocks, "slice_seconds", c->slice,
			  "void", c->is_void, "null",
			  interval(&c->rows[AGAIN].ratio), "growth_void",
			  c->growth_is_void, "growth_null",
			  interval(&c->rows[c->object_again].growth), "rows",
			  rows));
}

/* "object k=4 n=64" */
static const char *label(const struct cell *c, const struct row *row,
			 char *text, size_t size)
{
	const struct stand *s = &c->crew.stands[row->stand];

	if (row->series)
		snprintf(text, size, "%s k=%u n=%u", row->name, s->k, s->n);
	else
		snprintf(text, size, "%s", row->name);
	return text;
}

static void print_row(const struct cell *c, const struct row *row)
{
	const struct stand *first = &c->crew.stands[row->first];
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
	printf("VOID, %s: the %s differs from itself by %.2f to %.2f\n", column,
	       of, null->low, null->high);
}

void results_cell(const struct cell *c)
{
	printf("\n%s, T=%u: %u blocks of %zu slices of %g s\n",
	       subject_name(c->subject), c->threads, c->blocks,
	       c->crew.stand_count, c->slice);
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
	keep_cell(c);
}

static const char *count_text(double value, char *text, size_t size)
{
	snprintf(text, size, "%.1f", value);
	return value < 0 ? "not counted" : text;
}

void results_counts(const struct cell *c, const struct counts *counts)
{
	char name[40], instructions[32], calls[32];
	json_t *one = who(c, counts->row);

	printf("%-17s %-18s %12s %13s\n", subject_name(c->subject),
	       label(c, counts->row, name, sizeof name),
	       count_text(counts->instructions, instructions,
			  sizeof instructions),
	       count_text(counts->calls, calls, sizeof calls));
	fflush(stdout);
	json_object_update_new(
		one, json_pack("{ss so so}", "subject",
			       subject_name(c->subject), "instructions",
			       number(counts->instructions), "system_calls",
			       counts->calls < 0 ? json_null()
						 : json_real(counts->calls)));
	json_array_append_new(json_object_get(all, "counts"), one);
}

/* In all rounds, in none, or who knows. */
static const char *verdict(unsigned count, unsigned rounds, const char *yes,
			   const char *no)
{
	return count == rounds ? yes : count == 0 ? no : "differs";
}

void results_end_of(const struct end *e)
{
	const char *others = verdict(e->went_on, e->rounds, "go on", "stopped");
	const char *state = verdict(e->whole, e->rounds,
				    verdict(e->done, e->rounds, "whole, done",
					    "whole, not done"),
				    "torn");
	char name[40];

	if (e->went_on == 0 && e->continued == e->rounds)
		others = "wait";
	snprintf(name, sizeof name, e->k ? "%s k=%u" : "%s", e->name, e->k);
	printf("%-18s %6u %7u   %-10s %-17s %s\n", name, e->held, e->rounds,
	       others, state, e->told);
	fflush(stdout);
	json_array_append_new(json_object_get(all, "ends"),
			      json_pack("{ss ss so si si si si si si ss ss ss}",
					"part", part, "name", e->name, "k",
					e->k ? json_integer(e->k) : json_null(),
					"held", (int)e->held, "rounds",
					(int)e->rounds, "went_on",
					(int)e->went_on, "whole", (int)e->whole,
					"done", (int)e->done, "continued",
					(int)e->continued, "others", others,
					"state", state, "told", e->told));
}

/* In place of the old file at once: nobody reads half of one. */
bool results_write(const char *file)
{
	char beside[4096];
	int length;

	if (!file)
		return true;
	length = snprintf(beside, sizeof beside, "%s.new", file);
	errno = ENAMETOOLONG;
	if (length < 0 || (size_t)length >= sizeof beside)
		return false;
	errno = EIO;
	if (json_dump_file(all, beside,
			   JSON_INDENT(1) | JSON_REAL_PRECISION(6)) < 0)
		return false;
	return rename(beside, file) == 0;
}

void results_end(double seconds)
{
	printf("\ntook %.0f s\n", seconds);
	json_object_set_new(all, "seconds", json_real(seconds));
}
