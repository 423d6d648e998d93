/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several participants, threads or processes, that enter, work or sleep inside,
 * and leave, with nothing in between.  They are hired once for a cell and take
 * part in slice after slice, each before another door.
 */
#ifndef ATMOST_BENCH_ENTER_CROWD_H
#define ATMOST_BENCH_ENTER_CROWD_H

#include "bench/common/section.h"
#include "bench/enter/door.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { DOORS_MOST = 4, CROWD_MOST = 64 };

/* Where participants may run. */
enum cpus { ANY_CPU, ONE_CPU, OWN_CPU };

/* What one did in the slice. */
struct seat {
	_Alignas(64) sem_t go;
	_Alignas(64) uint64_t count; /* passages begun; each was finished */
	int64_t ready;               /* when it was, for the slice to begin */
	int64_t cpu;                 /* ns */
	int64_t delay;               /* ns, runnable and not running */
	int64_t longest; /* ns, wait; sections that sleep only, as the next */
	int64_t inside;  /* ns, all its sections together */
};

struct hall {
	pthread_barrier_t together;
	sem_t begun, done;
	unsigned chosen;
	bool over;
	_Alignas(64) atomic_uint inside;
	_Alignas(64) atomic_bool stop;
	atomic_uint most_inside; /* if ever more than k */
	struct seat seats[CROWD_MOST];
};

struct crowd {
	unsigned n, k;
	bool processes;
	enum cpus cpus;
	const struct section *section;
	uint64_t turns; /* of section_work */
	size_t door_count;
	struct door doors[DOORS_MOST];

	struct hall *hall;
	struct worker {
		struct crowd *crowd;
		unsigned id;
		pthread_t thread;
		pid_t pid;
	} workers[CROWD_MOST];
};

/* What a slice amounts to. */
struct slice {
	double rate;    /* passages a second */
	double cpu;     /* us a passage */
	double share;   /* passages of who had most over who had least */
	double longest; /* wait, in sections of ceil(n/k): see docs/bench.md */
	double delay;   /* the longest of one, as a part of the slice */
};

/* n to section are given, the doors open.  False: it says why on stderr. */
bool crowd_hire(struct crowd *c, double speed);
bool crowd_slice(struct crowd *c, unsigned door, double seconds,
		 struct slice *result);
void crowd_dismiss(struct crowd *c);

#endif
