/* SPDX-License-Identifier: BSD-2-Clause */
/* What a passage asks of the kernel and of the processor, counted. */
#ifndef ATMOST_BENCH_ENTER_CALLS_H
#define ATMOST_BENCH_ENTER_CALLS_H

#include <stdbool.h>

/*
 * How many system calls `act` makes, in a child process that `prepare` has
 * prepared.  None of them is executed: each returns 0.  Negative: it could
 * not be counted.
 */
long calls_count(bool (*prepare)(void *job), void (*act)(void *job), void *job);

/* Instructions of `count` passages by callgrind; negative: not counted. */
double calls_instructions(const char *contender, unsigned long count);

#endif
