/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_ALGORITHMS_H
#define ATMOST_CLI_ALGORITHMS_H

#include "checker/check.h"

/* By name; if there is none, complain and return EXIT_USAGE. */
int algorithm_find(const char *command, const char *name,
		   struct lab_algorithm *a);

#endif
