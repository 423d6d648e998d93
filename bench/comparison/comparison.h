/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The programs kexclusion and groups use the same method: they run every
 * contender on the same cells, and compare each contender with the base in the
 * same run.  docs/bench.md describes the method.
 */
#ifndef ATMOST_BENCH_COMPARISON_H
#define ATMOST_BENCH_COMPARISON_H

struct options;

/* The function run() of struct bench, for both programs. */
int comparison_run(const struct options *o);

#endif
