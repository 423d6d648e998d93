/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts system calls and instructions exactly. */
#ifndef ATMOST_BENCH_COUNT_H
#define ATMOST_BENCH_COUNT_H

#include <stdbool.h>

/*
 * Returns how many system calls act(job) makes in a child process that has
 * called prepare(job).  The kernel does not execute these calls: each returns
 * 0.  A negative result means that the calls could not be counted.
 */
long count_system_calls(bool (*prepare)(void *job), void (*act)(void *job),
			void *job);

/*
 * Runs this program as `NAME --pass ARGUMENTS` (struct bench) under callgrind.
 * Returns how many instructions callgrind counts in functions whose names start
 * with `function`.  A negative result means that they could not be counted, for
 * example because valgrind is missing.
 */
double count_instructions(const char *function, const char *arguments);

#endif
