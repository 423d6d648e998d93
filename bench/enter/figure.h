/* SPDX-License-Identifier: BSD-2-Clause */
/* What is found out: one figure a line, beside what it should be. */
#ifndef ATMOST_BENCH_ENTER_FIGURE_H
#define ATMOST_BENCH_ENTER_FIGURE_H

#include "bench/common/machine.h"
#include "bench/common/statistics.h"

#include <stdbool.h>

enum { SAMPLES_MOST = 1024 };

enum goal { NO_GOAL, AT_MOST, AT_LEAST, BELOW };

struct figure {
	const char *where; /* "threads T=8 k=1" */
	const char *who;   /* the contender */
	const char *what;
	const char *unit;
	enum goal goal;
	double target;
	bool is_void; /* the control leaves 0.9 to 1.1 */
	size_t count;
	double sample[SAMPLES_MOST];
};

/* The whole run. */
void figures_begin(const struct machine *machine, uint64_t seed, double speed);

/* A part's head; letter is of the goals, as docs/bench.md lists them. */
void figures_part(char letter, const char *title);

/* Prints it; sorts the samples. */
void figure_show(struct figure *f);

/* One that is exact, or nearly so. */
void figure_fact(const char *where, const char *who, const char *what,
		 const char *unit, enum goal goal, double target, double value);

/* Instead of a figure: why there is none. */
__attribute__((format(printf, 1, 2))) void figures_say(const char *format, ...);

/* NULL: no file.  False: errno says why it could not be written. */
bool figures_end(const char *json, double seconds);

#endif
