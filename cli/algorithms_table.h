/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_ALGORITHMS_TABLE_H
#define ATMOST_CLI_ALGORITHMS_TABLE_H

/* Prints all algorithms, with the facts that help a user to choose one. */
void algorithms_table_print(void);

#endif
