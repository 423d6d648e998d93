/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two words that are always equal, but in the middle of an operation; and who
 * keeps them so when somebody ends or stops there.
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

/* What the processes of a scene share. */
struct news {
	atomic_uint done;       /* operations of who came afterwards */
	atomic_bool owner_dead; /* it was told so */
	pthread_mutex_t mutex;
	struct pair pair; /* below the mutex */
	atomic_uint_fast64_t word;
};

/* The processes of one round. */
struct scene {
	unsigned k, members;
	struct news *news;
	struct atmost_object *object;    /* the library's only, and */
	struct atmost_object_member *me; /* in a child */
};

struct pair_keeper {
	const char *name;
	bool (*open)(struct scene *s);
	void (*close)(struct scene *s);
	bool (*join)(struct scene *s); /* in a child */

	/*
	 * Add one to both.  In the middle it calls halfway().  tag: the
	 * operation's name, or 0.
	 */
	bool (*add)(struct scene *s, uint64_t tag);

	/* False: it cannot be read. */
	bool (*look)(const struct scene *s, struct pair *pair);

	/* Whether the operation happened, if who comes next is told. */
	bool (*outcome)(const struct scene *s, uint64_t tag, bool *happened);
};

extern const struct pair_keeper pair_mutex, pair_robust, pair_swap;
extern const struct pair_keeper pair_object;

/* The process that called this stops at its next halfway(), once. */
void halfway_stops(void);
void halfway(void);

#endif
