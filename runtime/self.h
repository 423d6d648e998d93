/* SPDX-License-Identifier: BSD-2-Clause */
/* What this process tells others about itself. */
#ifndef ATMOST_RUNTIME_SELF_H
#define ATMOST_RUNTIME_SELF_H

#include <stddef.h>
#include <stdint.h>

/* The program's name, cut to fit, zeros behind it. */
void self_name(char *name, size_t size);

/* The pid namespace, as a number; 0: not known. */
uint64_t self_name_space(void);

/* When the process started, in clock ticks after boot; 0: not known. */
uint64_t self_start(void);

/* CLOCK_MONOTONIC in units of 2^20 ns. */
uint64_t self_clock(void);

#endif
