/* SPDX-License-Identifier: BSD-2-Clause */
/* What something asks of the kernel and of the processor, counted. */
#ifndef ATMOST_BENCH_CALLS_H
#define ATMOST_BENCH_CALLS_H

#include <stdbool.h>

/*
 * How many system calls `act` makes, in a child process that `prepare` has
 * prepared.  None of them is executed: each returns 0.  Negative: it could
 * not be counted.
 */
long calls_count(bool (*prepare)(void *job), void (*act)(void *job), void *job);

/*
 * Instructions by callgrind of this program called with --pass and these
 * arguments, as long as it is in a function whose name starts so.  Negative:
 * not counted.
 */
double calls_instructions(const char *function, const char *arguments);

#endif
