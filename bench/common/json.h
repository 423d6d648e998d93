/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Includes jansson, and declares the JSON functions that all bench programs
 * need.
 */
#ifndef ATMOST_BENCH_JSON_H
#define ATMOST_BENCH_JSON_H

#include "bench/common/statistics.h"

#include <jansson.h>
#include <stdbool.h>

/* Returns {"median", "low", "high"}. */
json_t *json_interval(const struct interval *i);

/*
 * Writes `all` to the file.  Replaces the file in one step, so that a reader
 * never sees half of it.  Does nothing if `file` is NULL.  Returns false, with
 * an error message on stderr, on failure.
 */
bool json_write(const json_t *all, const char *file);

#endif
