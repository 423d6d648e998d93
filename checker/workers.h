/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Describes the memory that the workers of a search share with each other and
 * with the process that waits for them.  It holds counters, one buffer through
 * which a worker hands over work, and the violations.
 *
 * Workers are forked processes.  A state contains stack bytes, and stack bytes
 * contain addresses.  Forked workers have equal addresses; threads would not.
 */
#ifndef ATMOST_CHECKER_WORKERS_H
#define ATMOST_CHECKER_WORKERS_H

#include "checker/seen.h"
#include "checker/world.h"

enum {
	MAX_WORKERS = 8,
	MAX_DEPTH = 1 << 25, /* most choices of a schedule */
};

/* Why the workers stop before all states are explored. */
enum stop {
	STOP_NOT,
	STOP_TIME,     /* the deadline has passed */
	STOP_MEMORY,   /* the memory limit is reached */
	STOP_DEPTH,    /* a schedule has MAX_DEPTH choices */
	STOP_WIDTH,    /* a state has more than MAX_TRANSITIONS transitions */
	STOP_VIOLATED, /* violations are found; no more states are needed */
	STOP_CYCLE,    /* there is a cycle: the graph is needed */
	STOP_FAILED    /* a worker failed; `message` may say why */
};

struct schedule {
	uint32_t length;
	struct choice choice[MAX_DEPTH];
};

/* Counts that one worker writes and all workers read.  The counts of each
 * worker have their own cache line. */
struct worker_counts {
	_Alignas(64) uint64_t states;
	uint64_t transitions, depth, remote;
	long remote_wait; /* 1 + a word that is waited on remotely; 0: none */
};

enum handover {
	HANDOVER_EMPTY,
	HANDOVER_WRITING,
	HANDOVER_FULL,
	HANDOVER_READING
};

struct workers {
	uint32_t count, idle, stop; /* stop: enum stop */
	uint32_t handover;          /* enum handover: state of handed_over */
	uint32_t handovers;         /* number of handovers so far */
	/* growing is 1 if the set of states must grow; arrived counts the
	 * workers that wait for the growth; growths counts the growths so
	 * far */
	uint32_t growing, arrived, growths;
	struct seen seen; /* the set after its last growth */
	struct worker_counts counts[MAX_WORKERS];
	uint64_t heap_bytes;
	uint32_t violated;           /* properties */
	uint32_t lock;               /* held by workers_note_violation */
	struct schedule handed_over; /* leads to a state to explore */
	struct schedule found;       /* leads to the first violation */
	uint32_t first;              /* the properties that `found` violates */
	uint32_t loop;     /* length of the cycle at the end of `found` */
	char message[256]; /* why a worker failed */
};

/* Returns NULL if there is no memory. */
struct workers *workers_open(void);
void workers_close(struct workers *w);

/*
 * Return the sums of the states and of the transitions of all workers, and the
 * largest depth of a worker.
 */
uint64_t workers_states(const struct workers *w);
uint64_t workers_transitions(const struct workers *w);
uint64_t workers_depth(const struct workers *w);

static inline uint32_t workers_get(const uint32_t *field)
{
	return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

static inline void workers_set(uint32_t *field, uint32_t value)
{
	__atomic_store_n(field, value, __ATOMIC_RELEASE);
}

/* Record that a schedule violates properties. */
void workers_note_violation(struct workers *w, unsigned properties,
			    const struct choice *path, size_t length);

/* Wait for all workers; the last one to arrive enlarges the set of states. */
void workers_grow_seen(struct workers *w, struct seen *mine);

/* The caller has no work and waits for work.  Returns true if it got a schedule
 * that leads to a state to explore, and false if the search is over. */
bool workers_take_work(struct workers *w, struct seen *mine,
		       struct choice *path, size_t *length);

/* Returns true if another worker wants work; the caller must then call
 * workers_give_work (with length 0 if it has no work to give). */
static inline bool workers_want_work(struct workers *w)
{
	uint32_t empty = HANDOVER_EMPTY;

	return __builtin_expect(workers_get(&w->idle) != 0, 0) &&
	       __atomic_compare_exchange_n(&w->handover, &empty,
					   HANDOVER_WRITING, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void workers_give_work(struct workers *w, const struct choice *path,
		       size_t length);

#endif
