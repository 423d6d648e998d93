/* SPDX-License-Identifier: BSD-2-Clause */
/* The line of `atmost status` about a holder or a waiter. */
#ifndef ATMOST_CLI_SEAT_LINE_H
#define ATMOST_CLI_SEAT_LINE_H

#include "cli/pool_view.h"

#include <stdio.h>

/* Prints the line, cut to the width of the terminal if stdout is a terminal. */
void seat_line_print(FILE *to, const struct pool_view *view,
		     const struct atmost_seat *seat);

#endif
