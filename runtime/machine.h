/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the monotonic clock and the boot id of the running machine. */
#ifndef ATMOST_RUNTIME_MACHINE_H
#define ATMOST_RUNTIME_MACHINE_H

#include <stdint.h>

/* Returns the time of CLOCK_MONOTONIC in units of 2^20 ns. */
uint64_t machine_clock(void);

/* Reads the boot id; boot becomes zero if the machine does not tell it.
 * Returns 0, or an error that error_say has explained. */
int machine_boot(uint64_t boot[2]);

#endif
