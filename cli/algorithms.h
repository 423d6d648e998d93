/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_ALGORITHMS_H
#define ATMOST_CLI_ALGORITHMS_H

#include "checker/check.h"

/* Stores the algorithm of this name in *a and returns 0.  If there is no such
 * algorithm, prints an error message that begins with the name of `command`,
 * and returns EXIT_USAGE. */
int algorithm_find(const char *command, const char *name,
		   struct lab_algorithm *a);

#endif
