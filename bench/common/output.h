/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told to people, and what to programs. */
#ifndef ATMOST_BENCH_OUTPUT_H
#define ATMOST_BENCH_OUTPUT_H

#include "bench/common/machine.h"
#include "bench/common/measure.h"
#include "bench/common/progress.h"

void output_table(const struct outcome *o);

/* Four digits are enough, whatever the size. */
struct label output_brief(double value);

/* The same in one object; see json.c. */
struct json_t;
struct json_t *json_begin(const struct machine *machine, uint64_t seed,
			  double speed);
void json_cell(struct json_t *all, const struct outcome *o);

/* At the end: how long it took, and whether that was within the budget. */
void json_end(struct json_t *all, double seconds, double budget);

/* False: errno says why not. */
bool json_write(const struct json_t *all, const char *file);
void json_free(struct json_t *all);

#endif
