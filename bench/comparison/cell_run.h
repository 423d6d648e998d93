/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts the workers of a cell once, and runs their slices.
 *
 * In a slice every worker enters, does the section's work and leaves, again and
 * again without a pause, until the main thread tells it to stop.  Then each
 * worker finishes its passage and does not call enter again.  If the contender
 * is free of deadlock, all waiters therefore get in, and the slice ends.
 */
#ifndef ATMOST_BENCH_CELL_RUN_H
#define ATMOST_BENCH_CELL_RUN_H

#include "bench/common/workers.h"
#include "bench/comparison/contender.h"

/*
 * One passage.  `arrival` numbers the calls of enter, and `entry` numbers the
 * returns, in the order in which they happened.  Right before the call a worker
 * draws the first number from a shared counter.  Right after the return it
 * draws the second number from another shared counter.
 */
struct passage {
	uint32_t arrival, entry;
	int64_t wait; /* ns, from calling enter to being inside */
};

enum position { OUTSIDE, WAITING, INSIDE, LEAVING };

/* The values that a worker writes during a slice. */
struct worker_record {
	_Alignas(64) atomic_int position; /* printed if the slice hangs */
	int64_t cpu;                      /* ns, used in the slice */
	size_t count; /* passages begun in the slice; each was finished */

	/* With sessions only: a state of statistics_random. */
	uint64_t random;
	/*
	 * With sessions only: start and end of the last stay inside, and the ns
	 * of all stays before it.
	 */
	int64_t entered, left, stays;
};

/* Counters that all workers write; each counter has a cache line of its own. */
struct counters {
	uint64_t seed; /* for random sessions; set by the main thread */
	_Alignas(64) atomic_uint arrivals;
	/* The number of entries, and the workers inside: see cell_run.c. */
	_Alignas(64) atomic_uint_fast64_t entries;
	_Alignas(64) atomic_uint most_inside; /* 0: never more than k */
	atomic_bool mixed; /* two sessions were inside at once */
	struct worker_record records[];
};

struct cell_run {
	const struct cell *cell;
	const struct contenders *contenders;
	uint64_t turns; /* argument of section_work */
	struct workers workers;
	struct counters *counters;
	size_t counters_size;
	struct passage *log; /* one part for each worker */
	size_t log_each;
};

/*
 * Starts cell->n workers for slices of at most `seconds`.  speed is from
 * section_speed; patience is in ns.  Returns false, with an error message on
 * stderr, on failure.
 */
bool cell_run_start(struct cell_run *run, const struct cell *cell,
		    const struct contenders *contenders, double seconds,
		    double speed, int64_t patience);

enum ending { ENDED, TOO_MANY_INSIDE, TWO_SESSIONS_INSIDE, HUNG };

/*
 * Runs one slice; afterwards `run` contains the records and the log of the
 * slice.
 */
enum ending cell_run_slice(struct cell_run *run, unsigned contender,
			   double seconds);

/* Prints the position of every worker on stderr. */
void cell_run_print_positions(const struct cell_run *run);

void cell_run_end(struct cell_run *run);

#endif
