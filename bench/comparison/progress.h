/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_PROGRESS_H
#define ATMOST_BENCH_PROGRESS_H

#include "bench/comparison/contender.h"

struct label {
	char text[80];
};

/* For example "threads T=8 k=2 2us" or "threads T=8 sessions=2 fixed 2us". */
struct label label_of_cell(const struct cell *cell);

/*
 * If stderr is a terminal, prints a line there that replaces the line of the
 * previous call.  If format is NULL, removes that line.
 */
void print_progress(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
