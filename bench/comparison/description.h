/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The differences between kexclusion and groups: each of the two programs
 * defines `comparison`.
 */
#ifndef ATMOST_BENCH_DESCRIPTION_H
#define ATMOST_BENCH_DESCRIPTION_H

#include "bench/rivals/rival.h"

#include <jansson.h>

struct cells;
struct outcome;

struct comparison {
	const struct rival *const
		*rivals;   /* up to NULL; the first is the base */
	const char *again; /* the name of the base in its second row */

	/* The defaults of a cell.  sessions > 0: group exclusion, without k. */
	unsigned k, sessions;

	/* The cells of --quick and --report. */
	void (*quick)(struct cells *c);
	void (*report)(struct cells *c);

	/* The table of a cell. */
	void (*print_head)(const struct outcome *o);
	void (*print_row)(const struct outcome *o, size_t i);
	void (*print_foot)(const struct outcome *o); /* or NULL */

	/*
	 * For --quick, --report and --alone: a measurement before the cells,
	 * or NULL.  False: errno says why.
	 */
	bool (*alone)(json_t *all, uint64_t *random);
};

extern const struct comparison comparison;

#endif
