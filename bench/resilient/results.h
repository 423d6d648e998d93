/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables on stdout, and the same results in the JSON. */
#ifndef ATMOST_BENCH_RESILIENT_RESULTS_H
#define ATMOST_BENCH_RESILIENT_RESULTS_H

#include "bench/resilient/cell.h"

void results_cell(const struct cell *c);

/* What an operation takes; negative: not counted. */
struct counts {
	const struct row *row;
	double instructions, calls;
};

void results_counts(const struct cell *c, const struct counts *counts);

/* What became of an implementation when processes were killed or stopped. */
struct interruption {
	const char *name;
	unsigned k;    /* 0: it has none */
	unsigned held; /* processes killed or stopped in a round */
	unsigned rounds;

	/* The numbers of rounds in which */
	unsigned went_on;   /* the process that came afterwards went on, */
	unsigned whole;     /* no operation was half done, */
	unsigned done;      /* the operations of the held had happened, */
	unsigned continued; /* the process went on once one was continued. */

	const char *told; /* what that process was told about the held */
};

void results_interruption(const struct interruption *i);

#endif
