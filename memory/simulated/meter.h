/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Remote memory references.  CC: a read of a valid copy is free, every other
 * access costs one; whatever writes invalidates all copies and leaves none
 * with the writer.  DSM: an access to a word of another module costs one.
 *
 * In a search only one process is tracked, and which copies it has is part of
 * the state; in a measurement everybody is.
 */
#ifndef ATMOST_MEMORY_SIMULATED_METER_H
#define ATMOST_MEMORY_SIMULATED_METER_H

#include "memory/simulated/simulated.h"

/* Everybody's copies: none at first.  False: no memory. */
bool meter_open(void);
void meter_close(void);

/* p goes to sleep on what it watches: -1, or a word it would read remotely for
 * ever (DSM). */
long meter_remote_wait(unsigned p);

#endif
