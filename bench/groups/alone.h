/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_GROUPS_ALONE_H
#define ATMOST_BENCH_GROUPS_ALONE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Prints what a passage costs a member that is alone, and adds the result to
 * the JSON `all` as "alone".  Returns false on failure; errno then says why.
 */
bool measure_alone(json_t *all, uint64_t *random);

#endif
