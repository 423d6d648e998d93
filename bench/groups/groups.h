/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_GROUPS_H
#define ATMOST_BENCH_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

struct options;
struct json_t;

void groups_quick(struct options *o);
void groups_report(struct options *o);

/* What a passage costs who is alone; into `all`, too.  False: errno. */
bool groups_alone(struct json_t *all, uint64_t *random);

#endif
