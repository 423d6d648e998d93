/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_CHOOSER_H
#define ATMOST_CLI_CHOOSER_H

/* The table that somebody needs who chooses an algorithm. */
void chooser_print(void);

#endif
