/* SPDX-License-Identifier: BSD-2-Clause */
/* Measurements of remote references. */
#ifndef ATMOST_CHECKER_MEASURE_H
#define ATMOST_CHECKER_MEASURE_H

#include "checker/lab_types.h"

/* False: the measurement failed, and `error` says why; *usage: whether the
 * question itself was wrong. */
LAB_API bool lab_measure(const struct lab_measure *m, struct lab_row *row,
			 char *error, bool *usage);

#endif
