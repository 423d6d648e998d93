/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The contenders are the rivals, and all algorithms of the registry that fit
 * the program.
 */
#ifndef ATMOST_BENCH_CONTENDER_H
#define ATMOST_BENCH_CONTENDER_H

#include "bench/common/section.h"
#include "bench/rivals/rival.h"
#include "runtime/layout.h"

/* One combination of workers, k or sessions, and section. */
struct cell {
	bool processes; /* otherwise threads */
	unsigned n, k;
	unsigned sessions; /* how many there are; 0: no sessions */
	bool random; /* a new session per passage; else each worker keeps one */
	const struct section *section;
	bool selection;     /* only some algorithms: see contender.c */
	double least_slice; /* seconds; for --quick and --report */
};

/*
 * Returns how many workers are inside at once if the sessions take turns and
 * all workers of a session enter together.
 */
static inline double cell_ideal(const struct cell *cell)
{
	return (double)cell->n / cell->sessions;
}

struct contender {
	const char *name;
	const struct rival *rival; /* NULL: an algorithm */
	const struct algorithm *algorithm;
	struct shape shape;
	struct layout layout;
	char *shared;
	size_t size;
};

/* The first two contenders are the base, and the base a second time. */
enum { BASE, AGAIN, CONTENDERS_MOST = 256, REASON = 256 };

/* The contenders of a cell. */
struct contenders {
	size_t count;
	struct contender item[CONTENDERS_MOST];

	/* How many algorithms are left out because a similar algorithm is
	 * measured. */
	size_t left_out;
	/*
	 * How many contenders refuse n, k or sessions, and why the last of them
	 * refuses.
	 */
	size_t refused;
	char reason[REASON];
};

/* Returns whether there is a rival or a native algorithm of this name. */
bool contender_exists(const char *name);

/*
 * Chooses the contenders of a cell.  `only` is a list of names that ends with
 * NULL, or is NULL for all contenders.
 */
void contenders_choose(struct contenders *c, const struct cell *cell,
		       const char *const *only);

/* Returns false if a contender could not be made; errno then says why. */
bool contenders_open(struct contenders *c, const struct cell *cell);
void contenders_close(struct contenders *c);

/* Prints the names of all contenders, for --help. */
void contenders_print(void);

/*
 * Removes everything that would outlive the program; signal handlers can call
 * this function.
 */
void contenders_clean_up(void);

/* A worker's access to a contender. */
struct handle {
	void (*enter)(struct handle *self);
	void (*leave)(struct handle *self);
	const struct contender *contender;
	void *shared;
	struct process process;
	unsigned own_kept, own_count;
};

struct handle contender_join(const struct contender *c, unsigned id);

#endif
