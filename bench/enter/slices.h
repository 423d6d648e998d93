/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Workers that enter, work or sleep inside, and leave, with nothing in between:
 * started once for a cell, they run one slice after the other, each with one of
 * the cell's instances.
 */
#ifndef ATMOST_BENCH_ENTER_SLICES_H
#define ATMOST_BENCH_ENTER_SLICES_H

#include "bench/common/section.h"
#include "bench/common/workers.h"
#include "bench/enter/instance.h"

enum { INSTANCES_MOST = 4, SLICE_WORKERS_MOST = 64 };

/* Where workers may run. */
enum cpus { ANY_CPU, ONE_CPU, OWN_CPU };

/* What a worker writes during a slice. */
struct worker_record {
	_Alignas(64) uint64_t count; /* passages begun; each was finished */
	int64_t cpu;                 /* ns */
	int64_t delay;               /* ns, runnable and not running */
	/* Sections that sleep only: the longest wait; all sections; in ns. */
	int64_t longest, inside;
};

struct slices {
	unsigned n, k;
	bool processes;
	enum cpus cpus;
	const struct section *section;
	uint64_t turns; /* of section_work */
	size_t instance_count;
	struct instance instances[INSTANCES_MOST];

	struct workers workers;
	struct slices_shared {
		_Alignas(64) atomic_uint inside;
		_Alignas(64) atomic_uint most_inside; /* 0: at most k */
		struct worker_record records[SLICE_WORKERS_MOST];
	} * shared;
	/* A worker's own handles to all instances. */
	struct handle handles[SLICE_WORKERS_MOST][INSTANCES_MOST];
};

struct slice {
	double rate;    /* passages a second */
	double cpu;     /* us of a passage */
	double share;   /* passages: most of a worker over fewest */
	double longest; /* wait, in ceil(n/k) sections: see docs/bench.md */
	double delay;   /* most of a worker, as a part of the slice */
};

/*
 * The members up to `section` and the open instances are given.  False: they
 * printed why on stderr.
 */
bool slices_start(struct slices *s, double speed);
bool slices_run(struct slices *s, unsigned instance, double seconds,
		struct slice *result);
void slices_end(struct slices *s);

#endif
