/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pair is two words that are equal except in the middle of an operation.
 * Each implementation of a pair is tried with processes that are killed or
 * stopped in the middle of an operation.
 */
#ifndef ATMOST_BENCH_RESILIENT_PAIR_H
#define ATMOST_BENCH_RESILIENT_PAIR_H

#include "atmost/resilient.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pair {
	uint64_t left, right;
};

/* Memory that the processes of a round share. */
struct pair_shared {
	atomic_uint done;       /* operations of the process that starts last */
	atomic_bool owner_dead; /* a process was told EOWNERDEAD */
	pthread_mutex_t mutex;
	struct pair pair; /* protected by the mutex */
	atomic_uint_fast64_t word;
};

/* An instance, as a process of a round uses it. */
struct pair_instance {
	unsigned k, members;
	struct pair_shared *shared;
	struct atmost_object *object;    /* pair_object only */
	struct atmost_object_member *me; /* pair_object, in a child */
};

struct pair_implementation {
	const char *name;
	bool (*open)(struct pair_instance *i);
	void (*close)(struct pair_instance *i); /* may be NULL */
	bool (*join)(struct pair_instance *i);  /* in a child; may be NULL */

	/*
	 * Adds 1 to both words, with a call of halfway() in the middle.  tag
	 * identifies the operation for outcome(); 0: no tag.
	 */
	bool (*add)(struct pair_instance *i, uint64_t tag);

	/* Returns false if the pair cannot be read. */
	bool (*read)(const struct pair_instance *i, struct pair *pair);

	/*
	 * Tells whether the tagged operation happened.  Is NULL if the
	 * implementation cannot tell.
	 */
	bool (*outcome)(const struct pair_instance *i, uint64_t tag,
			bool *happened);
};

extern const struct pair_implementation pair_mutex, pair_robust, pair_swap;
extern const struct pair_implementation pair_object;

/* Makes the calling process stop at its next halfway(), once. */
void stop_halfway(void);
void halfway(void);

#endif
