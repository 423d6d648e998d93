/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_SIMULATED_LABEL_H
#define ATMOST_MEMORY_SIMULATED_LABEL_H

/* A label of an algorithm.  tools/labels generates the table, with the labels
 * of each file in ascending order; an entry with file NULL ends the table. */
struct label {
	const char *file;
	long line;
	const char *name;
};

extern const struct label labels[];

/* The label of a source line, such as "L15a" for
 * "algorithms/k_exclusion/k_bakery.c:31". */
const char *label_of(const char *where);

#endif
