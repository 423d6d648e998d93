/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints tables on stdout and records the same results in the JSON. */
#ifndef ATMOST_BENCH_RESILIENT_RESULTS_H
#define ATMOST_BENCH_RESILIENT_RESULTS_H

#include "bench/resilient/cell.h"

void results_cell(const struct cell *c);

/* The counts for one operation; a negative number means "not counted". */
struct counts {
	const struct row *row;
	double instructions, calls;
};

void results_counts(const struct cell *c, const struct counts *counts);

/* The result of an implementation when processes were killed or stopped. */
struct interruption {
	const char *name;
	unsigned k;    /* 0: the implementation has none */
	unsigned held; /* processes that a round kills or stops */
	unsigned rounds;

	/*
	 * The four fields below count rounds.  The later process came after the
	 * held processes, which were killed or stopped.
	 */
	unsigned went_on;   /* the later process went on */
	unsigned whole;     /* no operation was half done */
	unsigned done;      /* the held processes' operations had happened */
	unsigned continued; /* the later process went on only once a held
			       process was continued */

	/* What the later process was told about the held processes. */
	const char *told;
};

void results_interruption(const struct interruption *i);

#endif
