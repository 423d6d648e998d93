/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the largest number of remote references of a passage, which
 * tools/measure-worst has measured and written to measured.def. */
#ifndef ATMOST_CLI_MEASURED_H
#define ATMOST_CLI_MEASURED_H

#include "cli/print.h"

struct measured {
	const char *name;
	unsigned n, k;
	long cc, dsm;     /* -1: unbounded */
	double amortised; /* in CC, the largest of all adversaries; -1: none */
};

/* Returns NULL if the algorithm was not measured. */
const struct measured *measured_find(const char *name);

/* Returns the number as text, or "no end" if it is unbounded. */
struct short_text measured_text(long worst);

#endif
