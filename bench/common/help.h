/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_HELP_H
#define ATMOST_BENCH_HELP_H

void help_print(void);

#endif
