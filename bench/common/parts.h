/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the parts of a bench program; each part has a letter (--parts). */
#ifndef ATMOST_BENCH_PARTS_H
#define ATMOST_BENCH_PARTS_H

#include "bench/common/options.h"

#include <jansson.h>

struct run {
	bool quick;
	unsigned blocks; /* --blocks; 0: the usual number */
	double patience; /* --patience, seconds; 0: the usual time */
	double speed;    /* from section_speed */
	uint64_t random; /* a state of statistics_random */
};

struct part {
	char letter;
	const char *title;
	/* Returns false, with an error message on stderr, if a system call
	 * failed or a contender broke its promise. */
	bool (*run)(struct run *r);
};

struct parts {
	size_t count;
	const struct part *part;
	const char *const *arrays; /* names of arrays in the JSON; then NULL */
};

/*
 * Runs the parts that the options name, or all parts.  Prints the machine and
 * the seed first, and the elapsed time at the end.  Writes the JSON file before
 * each part and at the end, so that the results of finished parts are kept if
 * the user stops the program.  Returns an exit code.
 */
int parts_run(const struct parts *parts, const struct options *o);

/* Appends `entry` to the array of this name in the JSON. */
void parts_record(const char *array, json_t *entry);

/* The letter of the part that is running, as a string. */
const char *parts_letter(void);

#endif
