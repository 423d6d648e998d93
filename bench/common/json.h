/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON of the bench programs: jansson, and functions that all of them need. */
#ifndef ATMOST_BENCH_JSON_H
#define ATMOST_BENCH_JSON_H

#include "bench/common/statistics.h"

#include <jansson.h>
#include <stdbool.h>

/* {"median", "low", "high"} */
json_t *json_interval(const struct interval *i);

/*
 * Replaces the file in one step, so that a reader never sees half of it.
 * Writes nothing if `file` is NULL.  False: an error message is on stderr.
 */
bool json_write(const json_t *all, const char *file);

#endif
