/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON of the bench programs: jansson, and what all of them need besides. */
#ifndef ATMOST_BENCH_JSON_H
#define ATMOST_BENCH_JSON_H

#include "bench/common/statistics.h"

#include <jansson.h>
#include <stdbool.h>

/* {"median", "low", "high"} */
json_t *json_interval(const struct interval *i);

/*
 * Replaces the file in one step, so that a reader never sees half of it.  No
 * file if `file` is NULL.  False: it printed why on stderr.
 */
bool json_write(const json_t *all, const char *file);

#endif
