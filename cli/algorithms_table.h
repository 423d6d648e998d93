/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_ALGORITHMS_TABLE_H
#define ATMOST_CLI_ALGORITHMS_TABLE_H

/* Prints all algorithms with what helps to choose one. */
void algorithms_table_print(void);

#endif
