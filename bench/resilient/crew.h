/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that apply operations, with nothing in between.  They are hired once
 * for a cell and take part in slice after slice, each at another stand.
 */
#ifndef ATMOST_BENCH_RESILIENT_CREW_H
#define ATMOST_BENCH_RESILIENT_CREW_H

#include "bench/resilient/keeper.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { STANDS_MOST = 20, CREW_MOST = 16 };

struct worker {
	struct crew *crew;
	pthread_t thread;
	_Alignas(64) sem_t go;
	_Alignas(64) uint64_t count; /* operations of the slice */
	int64_t cpu;                 /* ns, for them */
	int64_t ready;               /* when it was, for the slice to begin */
	bool joined;
};

struct crew {
	unsigned threads;
	size_t stand_count;
	struct stand stands[STANDS_MOST];
	uint64_t operations[STANDS_MOST]; /* that were ever applied there */

	pthread_barrier_t together;
	sem_t begun, done;
	size_t chosen;
	bool over;
	_Alignas(64) atomic_bool stop;
	struct worker workers[CREW_MOST];
};

/* What a slice amounts to. */
struct slice {
	double cpu;  /* ns of an operation, of all threads together */
	double rate; /* operations a second */
};

/* threads and stands are given, and open.  False: it says why on stderr. */
bool crew_hire(struct crew *c);
bool crew_slice(struct crew *c, size_t stand, double seconds,
		struct slice *result);
void crew_dismiss(struct crew *c);

#endif
