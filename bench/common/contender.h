/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who takes part: every algorithm of the registry that can, and the rivals.
 */
#ifndef ATMOST_BENCH_CONTENDER_H
#define ATMOST_BENCH_CONTENDER_H

#include "bench/common/section.h"
#include "bench/rivals/rival.h"
#include "runtime/layout.h"

/* One question: what is to be measured. */
struct cell {
	bool processes; /* otherwise threads */
	unsigned n, k;
	unsigned sessions; /* 1..sessions are asked for; 0: no groups */
	bool random; /* which one, each time; otherwise always one's own */
	const struct section *section;
	bool selection;     /* not every algorithm: see contender.c */
	double least_slice; /* seconds; so short a form may make slices */
};

/* How many could be inside at once if all sessions took turns; groups only. */
static inline double cell_ideal(const struct cell *cell)
{
	return (double)cell->n / cell->sessions;
}

struct contender {
	const char *name;
	const struct rival *rival; /* or NULL, and an algorithm: */
	const struct algorithm *algorithm;
	struct shape shape;
	struct layout layout;
	char *shared;
	size_t size;
};

/* The first two are the base, and the base once more. */
enum { BASE, AGAIN, CONTENDERS_MOST = 256, REASON = 256 };

struct line_up {
	size_t count;
	struct contender of[CONTENDERS_MOST];

	/* Who was not asked, being like another of a selection. */
	size_t left_out;
	/* Who refuses n, k or sessions, and the last one's reason. */
	size_t refused;
	char reason[REASON];
};

/* Whether there is a rival or a native algorithm of this name. */
bool contender_exists(const char *name);

/* The i-th of those that take part unless others are named, or NULL. */
const char *contender_name(size_t i);

/* only: the names to take, up to a NULL; or itself NULL: all. */
void line_up_choose(struct line_up *l, const struct cell *cell,
		    const char *const *only);

/* Make all; false, with errno, if one of them cannot be made. */
bool line_up_open(struct line_up *l, const struct cell *cell);
void line_up_close(struct line_up *l);

/* Before the program ends, however it does; may be called by a handler. */
void contenders_abandon(void);

/* One participant, as it stands before a contender's door. */
struct visitor {
	void (*enter)(struct visitor *self);
	void (*leave)(struct visitor *self);
	const struct contender *contender;
	void *shared;
	struct process process;
	unsigned own_kept, own_count;
};

struct visitor contender_join(const struct contender *c, unsigned id);

#endif
