/* SPDX-License-Identifier: BSD-2-Clause */
/* What is found out: a table for people, and all of it for programs. */
#ifndef ATMOST_BENCH_RESILIENT_RESULTS_H
#define ATMOST_BENCH_RESILIENT_RESULTS_H

#include "bench/common/machine.h"
#include "bench/resilient/cell.h"

/* The whole run. */
void results_begin(const struct machine *machine, uint64_t seed, double speed);

/* A part's head. */
void results_part(char letter, const char *title);

void results_cell(const struct cell *c);

/* What an operation asks of processor and kernel; negative: not counted. */
struct counts {
	const struct row *row;
	double instructions, calls;
};

void results_counts(const struct cell *c, const struct counts *counts);

/* What became of a keeper when some were killed or stopped at it. */
struct end {
	const char *name;
	unsigned k;    /* 0: it has none */
	unsigned held; /* so many were killed or stopped */
	unsigned rounds;
	unsigned went_on;   /* rounds in which others did */
	unsigned whole;     /* in which no operation was half done, */
	unsigned done;      /* and those of the held had happened */
	unsigned continued; /* others went on when one was continued */
	const char *told;   /* what who came next was told */
};

void results_end_of(const struct end *end);

/*
 * What there is so far, so that it stays if somebody loses patience.  NULL: no
 * file.  False: errno says why it could not be written.
 */
bool results_write(const char *json);

/* How long it all took. */
void results_end(double seconds);

#endif
