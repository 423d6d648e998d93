/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A subject is data that many threads share: a counter, which is one word, or a
 * book of accounts, which is 64 words.  An implementation lets threads apply
 * operations to a subject: a shared object of the library, a mutex, a robust
 * mutex, or compare-and-swap.
 */
#ifndef ATMOST_BENCH_RESILIENT_IMPLEMENTATION_H
#define ATMOST_BENCH_RESILIENT_IMPLEMENTATION_H

#include "bench/resilient/subject.h"

struct implementation;

struct instance {
	const struct implementation *implementation;
	unsigned k, n; /* 0 if the implementation has none */
	void *memory;  /* used by the implementation */
};

/* A thread's access to an instance. */
struct handle {
	const struct instance *instance;
	struct atmost_object_member *me; /* shared objects only */
	uint64_t turn;                   /* for transfer_next */
};

struct implementation {
	const char *name;
	enum subject subject;
	const char *function; /* the name of pass(), for count_instructions */

	/*
	 * The caller has set i->k and i->n.  Later, `threads` threads call
	 * join().  open() joins all other members, which stay idle.  Returns
	 * false, with an error message on stderr, on failure.
	 */
	bool (*open)(struct instance *i, unsigned threads);
	void (*close)(struct instance *i);

	/*
	 * Called by the thread that calls pass().  join and part may be NULL.
	 */
	bool (*join)(struct handle *h);
	void (*part)(struct handle *h);

	/* Applies `count` operations. */
	void (*pass)(struct handle *h, unsigned long count);

	/* Reads the state while no operation is in progress. */
	void (*read)(const struct instance *i, uint64_t *state);
};

extern const struct implementation mutex_implementation[SUBJECTS];
extern const struct implementation robust_implementation[SUBJECTS];
extern const struct implementation object_implementation[SUBJECTS];
extern const struct implementation swap_implementation; /* for a counter */

/*
 * KEEP prevents the compiler from inlining pass(); DO_NOT_OPTIMISE prevents it
 * from merging two operations.
 */
#define KEEP __attribute__((noinline))
#define DO_NOT_OPTIMISE() __asm__ volatile("" ::: "memory")

#endif
