/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The participants of a cell, threads or processes.  They are hired once and
 * then take part in slice after slice, each with another contender.
 *
 * In a slice everybody enters, does the section's work and leaves, again and
 * again, with nothing in between, until it is told to stop.  Then it finishes
 * the passage it is in.  As all do, and nobody arrives any more, all waiters
 * get in: a slice ends with any contender that is free of deadlock.
 */
#ifndef ATMOST_BENCH_CREW_H
#define ATMOST_BENCH_CREW_H

#include "bench/common/contender.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/types.h>

/*
 * One passage.  arrival numbers the calls of enter and entry their returns, in
 * the order in which they happened; each number is drawn from a counter that
 * all share, right before the call and right after it.
 */
struct passage {
	uint32_t arrival, entry;
	int64_t wait; /* ns, from calling enter to being inside */
};

enum where { AT_HOME, WAITING, INSIDE, LEAVING };

/* A participant's own lines. */
struct seat {
	_Alignas(64) sem_t go;
	_Alignas(64) atomic_int where; /* enum where; for the watchdog */
	int64_t ready;                 /* when it was, for the slice to begin */
	int64_t cpu;                   /* ns, used in the slice */
	size_t count; /* passages begun in the slice; each was finished */

	/* For sessions: a state of statistics_random, */
	uint64_t random;
	/* and when it was inside the last time, and how long (ns) before. */
	int64_t entered, left, stays;
};

/* What they share besides the contender, on lines by what is written. */
struct hall {
	pthread_barrier_t together; /* nobody starts before all are there */
	sem_t begun;                /* one of them is past that */
	sem_t done;
	unsigned chosen; /* number of the contender */
	bool over;       /* nothing more to do */
	uint64_t seed;   /* of the sessions asked for at random */
	_Alignas(64) atomic_uint arrivals;
	/* Entries so far, and in the upper half who is inside: crew_member.c. */
	_Alignas(64) atomic_uint_fast64_t entries;
	_Alignas(64) atomic_bool stop;
	atomic_int_fast64_t stopped; /* when; 0: not yet */
	atomic_uint most_inside;     /* if ever more than k */
	atomic_bool mixed;           /* if ever of two sessions */
	struct seat seats[];
};

struct member {
	struct crew *crew;
	unsigned id;
	pthread_t thread;
	pid_t pid;
};

struct crew {
	const struct cell *cell;
	const struct line_up *line_up;
	int64_t patience; /* ns, for the end of a slice */
	uint64_t turns;   /* of section_work */
	struct hall *hall;
	size_t hall_size;
	struct passage *log; /* each participant's part, one by one */
	size_t log_each;
	struct member *members;
};

/*
 * Hire cell->n participants for slices of up to so many seconds; speed is
 * section_speed's.  False: errno says why not.
 */
bool crew_hire(struct crew *crew, const struct cell *cell,
	       const struct line_up *line_up, double seconds, double speed);

/* How a slice ended. */
enum ending { ENDED, TOO_MANY_INSIDE, TWO_SESSIONS_INSIDE, HUNG };

/* One slice with one contender; its traces are then in hall and log. */
enum ending crew_slice(struct crew *crew, unsigned contender, double seconds);

/* Says on stderr who is where. */
void crew_tell(const struct crew *crew);

void crew_dismiss(struct crew *crew);

/* In crew_member.c: what a participant does until it is dismissed. */
void crew_serve(struct crew *crew, unsigned id);

/* The slice ends for everybody; the first to say so says when. */
void crew_stop(struct hall *hall);

#endif
