/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the bench, lettered as the goals are in docs/bench.md. */
#ifndef ATMOST_BENCH_ENTER_PARTS_H
#define ATMOST_BENCH_ENTER_PARTS_H

#include <stdbool.h>
#include <stdint.h>

struct run {
	bool quick;
	double speed;    /* section_speed's */
	uint64_t random; /* a state of statistics_random */
};

/* Each returns false if the system failed us, or somebody let too many in. */
bool part_alone(struct run *r);    /* a */
bool part_one_cpu(struct run *r);  /* b */
bool part_two_cpus(struct run *r); /* c */
bool part_sleeping(struct run *r); /* d */
bool part_order(struct run *r);    /* e */
bool part_waiters(struct run *r);  /* f */

/*
 * For callgrind: so many passages of that contender, in a function of its own
 * whose name starts with pass_.  False: there is none of that name.
 */
bool alone_pass(const char *name, unsigned long count);

#endif
