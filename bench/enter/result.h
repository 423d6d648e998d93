/* SPDX-License-Identifier: BSD-2-Clause */
/* A result is one line of the output, with its goal. */
#ifndef ATMOST_BENCH_ENTER_RESULT_H
#define ATMOST_BENCH_ENTER_RESULT_H

#include "bench/common/statistics.h"

#include <stdbool.h>

enum { SAMPLES_MOST = 1024 };

enum goal { NO_GOAL, AT_MOST, AT_LEAST, BELOW };

struct result {
	const char *where; /* "threads T=8 k=1" */
	const char *who;   /* the contender */
	const char *what;
	const char *unit;
	enum goal goal;
	double target;
	bool is_void; /* the control's interval is not within 0.9 to 1.1 */
	size_t count;
	double sample[SAMPLES_MOST];
};

/* Prints the result and records it in the JSON.  Sorts the samples. */
void result_print(struct result *r);

/*
 * Prints a result with one sample: a count, or another value that hardly
 * varies.
 */
void result_print_one(const char *where, const char *who, const char *what,
		      const char *unit, enum goal goal, double target,
		      double value);

/* Prints a line of text, for example why there is no result. */
__attribute__((format(printf, 1, 2))) void result_print_text(const char *format,
							     ...);

#endif
