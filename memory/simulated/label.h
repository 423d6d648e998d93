/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_SIMULATED_LABEL_H
#define ATMOST_MEMORY_SIMULATED_LABEL_H

/* A label of an algorithm: made by tools/labels, ended by a file of NULL,
 * each file's labels in ascending order. */
struct label {
	const char *file;
	long line;
	const char *name;
};

extern const struct label labels[];

#endif
