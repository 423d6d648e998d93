/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_GROUPS_H
#define ATMOST_BENCH_GROUPS_H

struct options;

void groups_quick(struct options *o);
void groups_report(struct options *o);

#endif
