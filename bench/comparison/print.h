/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_PRINT_H
#define ATMOST_BENCH_PRINT_H

#include "bench/comparison/measure.h"
#include "bench/comparison/progress.h"

/*
 * Returns the value as text: with two decimals if it is below 10, with one
 * decimal if it is below 100, and otherwise without decimals.
 */
struct label label_of_value(double value);

/* Prints the table of a cell. */
void print_table(const struct outcome *o);

#endif
