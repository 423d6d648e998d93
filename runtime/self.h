/* SPDX-License-Identifier: BSD-2-Clause */
/* What this process tells others about itself. */
#ifndef ATMOST_RUNTIME_SELF_H
#define ATMOST_RUNTIME_SELF_H

#include <stdint.h>

/* The program's name. */
const char *self_name(void);

/* CLOCK_MONOTONIC in units of 2^20 ns. */
uint64_t self_clock(void);

#endif
