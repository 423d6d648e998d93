/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The meter counts remote memory references.  In the CC model a read of a valid
 * copy is free, and every other access costs one; a write invalidates all
 * copies, and the writer gets no copy.  In the DSM model an access to a word
 * that is not local to the process costs one.
 *
 * In a search, the meter counts the references of one tracked process, and the
 * set of its copies is part of the state.  In a measurement, the meter counts
 * the references of all processes.
 */
#ifndef ATMOST_MEMORY_SIMULATED_METER_H
#define ATMOST_MEMORY_SIMULATED_METER_H

#include "memory/simulated/simulated.h"

/*
 * Prepare a measurement; no process has a copy.  Returns false if there is no
 * memory.
 */
bool meter_open(void);
void meter_close(void);

/* Count the access of p.  `changes` says whether the access is a write or a
 * successful read-modify-write. */
void meter_access(unsigned p, const struct step *step, bool changes);

/* In DSM, returns a word that p, which is about to sleep, would read remotely
 * for ever, or -1 if there is no such word. */
long meter_remote_wait(unsigned p);

#endif
