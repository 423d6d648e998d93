/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the program, with the letters of the goals in docs/bench.md. */
#ifndef ATMOST_BENCH_ENTER_PARTS_H
#define ATMOST_BENCH_ENTER_PARTS_H

#include "bench/common/parts.h"

bool part_alone(struct run *r);    /* a, in alone.c */
bool part_one_cpu(struct run *r);  /* b, in contend.c */
bool part_two_cpus(struct run *r); /* c, in contend.c */
bool part_sleeping(struct run *r); /* d, in contend.c */
bool part_order(struct run *r);    /* e, in queue.c */
bool part_waiters(struct run *r);  /* f, in queue.c */

/*
 * For count_instructions: makes `count` passages of a contender, in a function
 * whose name is pass_ followed by `name`.  Returns false if there is no
 * contender of that name.
 */
bool alone_pass(const char *name, unsigned long count);

#endif
