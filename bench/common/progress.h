/* SPDX-License-Identifier: BSD-2-Clause */
/* What is going on. */
#ifndef ATMOST_BENCH_PROGRESS_H
#define ATMOST_BENCH_PROGRESS_H

#include "bench/common/contender.h"

struct label {
	char text[80];
};

/* "threads T=8 k=2 2us", "threads T=8 sessions=2 fixed 2us" */
struct label progress_label(const struct cell *cell);

/* A line on stderr that the next one replaces, if it is a terminal; NULL: it
 * vanishes. */
void progress_say(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
