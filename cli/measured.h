/* SPDX-License-Identifier: BSD-2-Clause */
/* The largest number of remote references of a passage, as tools/measure-worst
 * measured it and wrote it to measured.def. */
#ifndef ATMOST_CLI_MEASURED_H
#define ATMOST_CLI_MEASURED_H

#include "cli/print.h"

struct measured {
	const char *name;
	unsigned n, k;
	long cc, dsm; /* -1: unbounded */
};

/* NULL: the algorithm was not measured. */
const struct measured *measured_find(const char *name);

/* The number as text; "no end" if it is unbounded. */
struct short_text measured_text(long worst);

#endif
