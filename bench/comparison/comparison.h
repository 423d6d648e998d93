/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The method of kexclusion and groups: run every contender on the same cells,
 * and compare each contender with the base in the same run.  docs/bench.md
 * describes the method.
 */
#ifndef ATMOST_BENCH_COMPARISON_H
#define ATMOST_BENCH_COMPARISON_H

struct options;

/* run() of struct bench. */
int comparison_run(const struct options *o);

#endif
