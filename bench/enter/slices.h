/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs workers that enter, work or sleep inside, and leave, again and again
 * without a pause.  The workers are started once for a cell and run one slice
 * after the other.  Each slice uses one of the cell's instances.
 */
#ifndef ATMOST_BENCH_ENTER_SLICES_H
#define ATMOST_BENCH_ENTER_SLICES_H

#include "bench/common/section.h"
#include "bench/common/workers.h"
#include "bench/enter/instance.h"

enum { INSTANCES_MOST = 4, SLICE_WORKERS_MOST = 64 };

/*
 * The cpus on which workers run: any cpu; one cpu for all workers; or a cpu of
 * its own for each worker.
 */
enum cpus { ANY_CPU, ONE_CPU, OWN_CPU };

/* The values that a worker writes during a slice. */
struct worker_record {
	_Alignas(64) uint64_t count; /* passages begun; each was finished */
	int64_t cpu;                 /* ns */
	int64_t delay;               /* ns, runnable but not running */
	/*
	 * Only for sections that sleep, in ns: the longest wait, and the length
	 * of all sections together.
	 */
	int64_t longest, inside;
};

struct slices {
	unsigned n, k;
	bool processes;
	enum cpus cpus;
	const struct section *section;
	uint64_t turns; /* argument of section_work */
	size_t instance_count;
	struct instance instances[INSTANCES_MOST];

	struct workers workers;
	struct slices_shared {
		_Alignas(64) atomic_uint inside;
		_Alignas(64) atomic_uint most_inside; /* 0: never more than k */
		struct worker_record records[SLICE_WORKERS_MOST];
	} * shared;
	/* Each worker has its own handles to all instances. */
	struct handle handles[SLICE_WORKERS_MOST][INSTANCES_MOST];
};

struct slice {
	double rate;    /* passages a second */
	double cpu;     /* CPU time of a passage, us */
	double share;   /* most passages of any worker / fewest of any worker */
	double longest; /* the longest wait, in units of ceil(n/k) sections */
	double delay;   /* largest delay of a worker, as a part of the slice */
};

/*
 * Starts the workers.  The caller has set the fields up to `section` and has
 * opened the instances.  Returns false, with an error message on stderr, on
 * failure.
 */
bool slices_start(struct slices *s, double speed);
bool slices_run(struct slices *s, unsigned instance, double seconds,
		struct slice *result);
void slices_end(struct slices *s);

#endif
