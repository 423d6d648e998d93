/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_OPTIONS_H
#define ATMOST_BENCH_OPTIONS_H

#include "bench/common/measure.h"

enum { CELLS_MOST = 256 };

enum form { FORM_CELLS, FORM_QUICK, FORM_REPORT, FORM_ALONE };

struct options {
	enum form form;
	size_t cell_count;
	struct cell cells[CELLS_MOST];
	const char **only; /* names up to a NULL; or itself NULL: all */
	unsigned blocks;
	double slice;    /* seconds; 0: as usual for the section */
	double patience; /* seconds */
	double budget;   /* seconds; 0: none */
	uint64_t seed;
	const char *json; /* file, or NULL */
};

/* False: nothing is left to do but to end with *code. */
bool options_read(struct options *o, int argc, char **argv, int *code);

#endif
