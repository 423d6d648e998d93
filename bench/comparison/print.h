/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_PRINT_H
#define ATMOST_BENCH_PRINT_H

#include "bench/comparison/measure.h"
#include "bench/comparison/progress.h"

/* The value with two decimals below 10, one below 100, else none. */
struct label label_of_value(double value);

/* The table of a cell. */
void print_table(const struct outcome *o);

#endif
