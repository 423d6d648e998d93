/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts: system calls and instructions. */
#ifndef ATMOST_BENCH_COUNT_H
#define ATMOST_BENCH_COUNT_H

#include <stdbool.h>

/*
 * How many system calls act(job) makes, in a child process that has called
 * prepare(job).  The kernel executes none of them: each returns 0.  Negative:
 * they could not be counted.
 */
long count_system_calls(bool (*prepare)(void *job), void (*act)(void *job),
			void *job);

/*
 * How many instructions callgrind counts in functions whose names start with
 * `function`, in this program run as `NAME --pass ARGUMENTS` (struct bench).
 * Negative: they could not be counted, for example without valgrind.
 */
double count_instructions(const char *function, const char *arguments);

#endif
