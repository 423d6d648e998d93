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
 * For count_instructions: `count` operations by the implementation whose pass()
 * has this name, on an instance of this k and n.  False: there is none.
 */
bool counts_pass(const char *function, unsigned k, unsigned n,
		 unsigned long count);

#endif
