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
		*rivals;   /* ends with NULL; the first is the base */
	const char *again; /* the name of the base in its second row */

	/*
	 * The defaults of a cell.  A program for group exclusion has at least
	 * one session and no k.
	 */
	unsigned k, sessions;

	/* The cells of --quick and --report. */
	void (*quick)(struct cells *c);
	void (*report)(struct cells *c);

	/* These three functions print the table of a cell. */
	void (*print_head)(const struct outcome *o);
	void (*print_row)(const struct outcome *o, size_t i);
	void (*print_foot)(const struct outcome *o); /* may be NULL */

	/*
	 * A measurement that --quick, --report and --alone make before the
	 * cells; may be NULL.  Returns false on failure; errno then says why.
	 */
	bool (*alone)(json_t *all, uint64_t *random);
};

extern const struct comparison comparison;

#endif
