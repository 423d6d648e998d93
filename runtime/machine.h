/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about the running machine: its monotonic clock and its boot id. */
#ifndef ATMOST_RUNTIME_MACHINE_H
#define ATMOST_RUNTIME_MACHINE_H

#include <stdint.h>

/* CLOCK_MONOTONIC in units of 2^20 ns. */
uint64_t machine_clock(void);

/* Reads the boot id; zeros if the machine does not tell it.  Returns 0, or an
 * error that error_say has explained. */
int machine_boot(uint64_t boot[2]);

#endif
