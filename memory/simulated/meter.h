/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Remote memory references.  CC: a read of a valid copy is free, and every
 * other access costs one; a write invalidates all copies and leaves none with
 * the writer.  DSM: an access to a word of another process costs one.
 *
 * In a search, one process is tracked, and the set of its copies is part of the
 * state.  In a measurement, all processes are metered.
 */
#ifndef ATMOST_MEMORY_SIMULATED_METER_H
#define ATMOST_MEMORY_SIMULATED_METER_H

#include "memory/simulated/simulated.h"

/* Prepare a measurement; no process has a copy.  False: no memory. */
bool meter_open(void);
void meter_close(void);

/* Count the access of p; changes: it is a write, or a successful
 * read-modify-write. */
void meter_access(unsigned p, const struct step *step, bool changes);

/* DSM: a word that p, about to sleep, would read remotely for ever; or -1. */
long meter_remote_wait(unsigned p);

#endif
