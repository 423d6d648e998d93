/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The store of simulated memory (memory/mem.h, "A store").
 *
 * A word of a store holds a cell: the stamp, the owner of its lease and the
 * value, in one 64-bit value; 0 means absent.  The simulation's own words
 * follow the algorithm's words: the faults that may still happen, the leases
 * that last, the transactions made, and the requests that are on their way.
 * All of this is part of the state, and every function here records its
 * changes, so that a step can be taken back.
 *
 * The scheduler and the checker call these functions.  The test that compares
 * this store with a real one calls them as well, and needs no simulated
 * process.
 */
#ifndef ATMOST_MEMORY_SIMULATED_STORE_H
#define ATMOST_MEMORY_SIMULATED_STORE_H

#include "memory/simulated/simulated.h"

/*
 * Make a transaction for process p.  Returns the number of the alternative that
 * was made; or MEM_NONE, if there was none; or MEM_LAPSED, if the alternative
 * puts a word and p has no lease.  In the last two cases nothing was made.
 */
int store_make(unsigned p, const struct transaction *t);

bool store_has_lease(unsigned p);
void store_grant(unsigned p);

/* End the lease of p: everything that belongs to it becomes absent, and the
 * requests of p on their way that need the lease will do nothing. */
void store_end_lease(unsigned p);

/* Process p sees the present words, except those of members. */
void store_look(unsigned p);

/* A request of p is on its way, unless it needs a lease that has ended. */
void store_delay(unsigned p, const struct transaction *t);

/* store_delayed returns the number of requests of p that are on their way.
 * store_deliver makes the one with this number, the oldest being 0. */
unsigned store_delayed(unsigned p);
void store_deliver(unsigned p, unsigned number);

/* The faults that may still happen. */
uint64_t store_faults(void);
void store_set_faults(uint64_t faults);
void store_use_fault(void);

/* Whether a look sees this word. */
bool store_is_seen(size_t word);

static inline uint64_t store_cell(uint64_t stamp, int owner, uint64_t value)
{
	return stamp << 32 | (uint64_t)(owner + 1) << 24 | value;
}

static inline uint64_t store_cell_stamp(uint64_t cell)
{
	return cell >> 32;
}

static inline int store_cell_owner(uint64_t cell)
{
	return (int)(cell >> 24 & 0xff) - 1;
}

static inline uint64_t store_cell_value(uint64_t cell)
{
	return cell & 0xffffff;
}

#endif
