/* SPDX-License-Identifier: BSD-2-Clause */
/* The worst that was measured, as tools/measure-worst wrote it down. */
#ifndef ATMOST_CLI_MEASURED_H
#define ATMOST_CLI_MEASURED_H

#include "cli/print.h"

struct measured {
	const char *name;
	unsigned n, k;
	long cc, dsm; /* -1: remote references without end */
};

/* NULL: it was not measured. */
const struct measured *measured_find(const char *name);

struct brief measured_text(long worst);

#endif
