/* SPDX-License-Identifier: BSD-2-Clause */
/* For programs whose measurements are parts with letters (--parts). */
#ifndef ATMOST_BENCH_PARTS_H
#define ATMOST_BENCH_PARTS_H

#include "bench/common/options.h"

#include <jansson.h>

struct run {
	bool quick;
	unsigned blocks; /* --blocks; 0: as usual */
	double patience; /* --patience, seconds; 0: as usual */
	double speed;    /* from section_speed */
	uint64_t random; /* a state of statistics_random */
};

struct part {
	char letter;
	const char *title;
	/* False: the system failed, or a contender broke its promise; the
	 * function printed which. */
	bool (*run)(struct run *r);
};

struct parts {
	size_t count;
	const struct part *part;
	const char *const *arrays; /* of the JSON, up to NULL */
};

/*
 * Run the parts that the options ask for, or all.  Prints machine and seed
 * first and the time at the end; writes the JSON file before each part and at
 * the end, so that results stay if the user stops the program.  Returns an exit
 * code.
 */
int parts_run(const struct parts *parts, const struct options *o);

/* Append to an array of the JSON. */
void parts_record(const char *array, json_t *entry);

/* The letter of the part that runs, as a string. */
const char *parts_letter(void);

#endif
