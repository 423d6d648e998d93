/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the simulated memory tell each other. */
#ifndef ATMOST_MEMORY_SIMULATED_ARENA_H
#define ATMOST_MEMORY_SIMULATED_ARENA_H

#include "memory/simulated/simulated.h"

/* Whether address is in the guard page below some process's stack. */
bool arena_overflowed(const void *address, unsigned *process);

/* No room to note one more word that p has read in this pass. */
bool arena_watch_full(unsigned p);

/* Note that p has read value in word. */
void arena_watch(unsigned p, size_t word, uint64_t value);

/* p is in a poll; what it does there may let the next one end otherwise. */
bool arena_polls(unsigned p);
void arena_restless(unsigned p);

/* p sleeps, and word is among what it watches. */
bool arena_sleeps_on(unsigned p, size_t word);

/* Go on with p, whose last step had this result, until it announces another. */
void arena_switch(unsigned p, uint64_t result);

/* What an overlapped read of a safe register may return. */
const uint64_t *arena_domain(size_t word, unsigned *count);

/* Count the access p makes to word; changes: it writes, or is a won RMW. */
void meter_access(unsigned p, const struct step *step, bool changes);

#endif
