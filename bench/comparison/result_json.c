/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes the results of a run as one JSON object:
 *
 * {"format": 1,
 *  "machine": {"system", "model", "cpus", "load": [3 numbers], "compiler"},
 *  "seed": number, "turn_ns": number,
 *  "seconds": number,                absent if the run did not end
 *  "budget": null | {"seconds": number, "kept": bool},
 *  "alone": [                        groups with --quick, --report, --alone
 *   {"name", "n", "ns", "low", "high", "system_calls": null | number}],
 *  "cells": [
 *   {"on": "threads" | "processes", "T",
 *    "k",                            kexclusion; groups has instead:
 *    "sessions", "asking": "fixed" | "random",
 *    "ideal",                        T / sessions: see inside_part
 *    "section": "2us" | ..., "blocks", "slice_seconds",
 *    "void": bool,                   "null" is not within 0.9 to 1.1
 *    "null": {"median", "low", "high"},
 *    "refused", "left_out",          numbers of contenders without a row
 *    "rows": [                       the base first, then the base again
 *     {"name",
 *      "passages_per_second",        median over the blocks
 *      "ratio": {"median", "low", "high"},     its ratio to the base
 *      "inside", "inside_part",      groups only: workers inside, median over
 *                                    the blocks; the same divided by "ideal"
 *      "share",                      median over the blocks
 *      "wait_us": {"p50", "p90", "p99", "max"},     of all slices together
 *      "overtakes", "overtakes_p99",                of all slices together
 *      "cpu_us_per_passage",         median over the blocks
 *      "cpu_ratio", "p99_ratio": {"median", "low", "high"},
 *      "samples": [                  one for each block, in their order
 *       {"place", "seconds", "passages", "passages_per_second",
 *        "inside" (groups only), "share",
 *        "wait_us": {...}, "overtakes", "cpu_us_per_passage"}]}]}]}
 *
 * docs/bench.md says what each number means.
 */
#include "bench/comparison/result_json.h"

#include "bench/common/json.h"

json_t *result_json_begin(const struct machine *m, uint64_t seed, double speed)
{
	json_t *all = machine_json(m, seed, speed);

	json_object_set_new(all, "budget", json_null());
	json_object_set_new(all, "cells", json_array());
	return all;
}

static json_t *waits(const struct waits *w)
{
	return json_pack("{sf sf sf sf}", "p50", w->p50, "p90", w->p90, "p99",
			 w->p99, "max", w->max);
}

static json_t *sample_json(const struct sample *s, bool groups)
{
	json_t *sample = json_pack("{si sf sI sf}", "place", (int)s->place,
				   "seconds", s->seconds, "passages",
				   (json_int_t)s->passages,
				   "passages_per_second", s->rate);

	if (groups)
		json_object_set_new(sample, "inside", json_real(s->inside));
	json_object_update_new(sample,
			       json_pack("{sf so sI sf}", "share", s->share,
					 "wait_us", waits(&s->wait),
					 "overtakes", (json_int_t)s->overtakes,
					 "cpu_us_per_passage", s->cpu));
	return sample;
}

static json_t *samples(const struct outcome *o, const struct row *row)
{
	json_t *all = json_array();

	for (unsigned b = 0; b < o->blocks; b++)
		json_array_append_new(all, sample_json(&row->samples[b],
						       o->cell.sessions > 0));
	return all;
}

static json_t *row_json(const struct outcome *o, size_t i)
{
	const struct row *row = &o->rows[i];
	struct waits wait = waits_of(&row->waits);
	json_t *all = json_pack("{ss sf so}", "name",
				o->contenders.item[i].name,
				"passages_per_second", row->rate, "ratio",
				json_interval(&row->ratio));

	if (o->cell.sessions)
		json_object_update_new(all,
				       json_pack("{sf sf}", "inside",
						 row->inside, "inside_part",
						 row->inside /
							 cell_ideal(&o->cell)));
	json_object_update_new(
		all,
		json_pack("{sf so sI sf sf so so so}", "share", row->share,
			  "wait_us", waits(&wait), "overtakes",
			  (json_int_t)row->overtakes.largest, "overtakes_p99",
			  histogram_quantile(&row->overtakes, 0.99),
			  "cpu_us_per_passage", row->cpu, "cpu_ratio",
			  json_interval(&row->cpu_ratio), "p99_ratio",
			  json_interval(&row->p99_ratio), "samples",
			  samples(o, row)));
	return all;
}

static json_t *cell_json(const struct cell *c)
{
	json_t *all = json_pack("{ss si}", "on",
				c->processes ? "processes" : "threads", "T",
				(int)c->n);

	if (c->sessions)
		json_object_update_new(all,
				       json_pack("{si ss sf}", "sessions",
						 (int)c->sessions, "asking",
						 c->random ? "random" : "fixed",
						 "ideal", cell_ideal(c)));
	else
		json_object_set_new(all, "k", json_integer(c->k));
	json_object_set_new(all, "section", json_string(c->section->name));
	return all;
}

void result_json_cell(json_t *all, const struct outcome *o)
{
	json_t *cell = cell_json(&o->cell), *rows = json_array();

	for (size_t i = 0; i < o->contenders.count; i++)
		json_array_append_new(rows, row_json(o, i));
	json_object_update_new(
		cell,
		json_pack("{si sf sb so si si so}", "blocks", (int)o->blocks,
			  "slice_seconds", o->slice, "void", o->is_void, "null",
			  json_interval(&o->rows[AGAIN].ratio), "refused",
			  (int)o->contenders.refused, "left_out",
			  (int)o->contenders.left_out, "rows", rows));
	json_array_append_new(json_object_get(all, "cells"), cell);
}

void result_json_end(json_t *all, double seconds, double budget)
{
	json_object_set_new(all, "seconds", json_real(seconds));
	if (budget > 0)
		json_object_set_new(all, "budget",
				    json_pack("{sf sb}", "seconds", budget,
					      "kept", seconds <= budget));
}
