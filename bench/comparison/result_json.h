/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON of a run; result_json.c lists its fields. */
#ifndef ATMOST_BENCH_RESULT_JSON_H
#define ATMOST_BENCH_RESULT_JSON_H

#include "bench/common/machine.h"
#include "bench/comparison/measure.h"

json_t *result_json_begin(const struct machine *machine, uint64_t seed,
			  double speed);
void result_json_cell(json_t *all, const struct outcome *o);
void result_json_end(json_t *all, double seconds, double budget);

#endif
