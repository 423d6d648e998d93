/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The meter counts remote memory references.  In the CC model a read of a valid
 * copy is free, and every other access costs one; a write invalidates all
 * copies, and the writer gets no copy, unless sim.writer_keeps is set.  A
 * failed compare-and-swap invalidates all copies, too, unless sim.smart_cache
 * is set.  In the DSM model an access to a word
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
 * Prepare a measurement in which no process has a copy of a word yet.  Returns
 * false if it cannot allocate memory.
 */
bool meter_open(void);
void meter_close(void);

/* Count the access of p.  `changes` says whether the access is a write or a
 * successful read-modify-write. */
void meter_access(unsigned p, const struct step *step, bool changes);

/* Called when p is about to sleep.  In the DSM model, returns a word that p
 * would have to read remotely again and again while it waits.  Returns -1 if
 * there is no such word, and in other models. */
long meter_remote_wait(unsigned p);

#endif
