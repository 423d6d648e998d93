/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures remote references. */
#ifndef ATMOST_CHECKER_MEASURE_H
#define ATMOST_CHECKER_MEASURE_H

#include "checker/lab_types.h"

/* Returns false if the measurement failed; then `error` says why, and *usage
 * says whether the question itself was wrong. */
LAB_API bool lab_measure(const struct lab_measure *m, struct lab_row *row,
			 char *error, bool *usage);

#endif
