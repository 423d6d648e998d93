/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of -k: a number, or a number relative to the processors
 * (50%, -1). */
#ifndef ATMOST_CLI_K_VALUE_H
#define ATMOST_CLI_K_VALUE_H

#include <stdbool.h>

enum { K_VALUE_MOST = 1024 };

/*
 * Reads "4", "50%" (of the processors, rounded down) or "-1" (all processors
 * but one); the last two give at least 1.  The processors are those on which
 * this process may run.  False: the text is none of these, or the value is not
 * between 1 and K_VALUE_MOST.
 */
bool k_value_read(const char *text, unsigned *k);

#endif
