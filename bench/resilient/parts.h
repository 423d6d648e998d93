/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the program, with the letters of docs/bench.md. */
#ifndef ATMOST_BENCH_RESILIENT_PARTS_H
#define ATMOST_BENCH_RESILIENT_PARTS_H

#include "bench/common/parts.h"

bool part_alone(struct run *r);   /* a, in cost.c */
bool part_two(struct run *r);     /* b, in cost.c */
bool part_eight(struct run *r);   /* c, in cost.c */
bool part_counts(struct run *r);  /* d, in cost.c */
bool part_killed(struct run *r);  /* e, in interrupted.c */
bool part_stopped(struct run *r); /* f, in interrupted.c */

/*
 * For count_instructions: applies `count` operations to an instance with this k
 * and n.  `function` is the name of the pass() of its implementation.  Returns
 * false if there is no such implementation.
 */
bool counts_pass(const char *function, unsigned k, unsigned n,
		 unsigned long count);

#endif
