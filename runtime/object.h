/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An object: an algorithm, its shape, and the memory its members share.
 */
#ifndef ATMOST_RUNTIME_OBJECT_H
#define ATMOST_RUNTIME_OBJECT_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"

#include <pthread.h>
#include <sys/types.h>

/*
 * The shared memory, in bytes from its start, which is a multiple of 64.  The
 * bell comes first, then the algorithm's words, then the own words, each
 * member's on lines of its own.
 */
struct layout {
	size_t words;
	size_t word_count;
	size_t own;
	size_t own_each;
	size_t size;
};

struct atmost {
	const struct algorithm *algorithm;
	struct shape shape;
	struct layout layout;
	char *memory;
	pid_t pid; /* the process it was made in */

	pthread_mutex_t lock;             /* of the list, not of the passages */
	struct atmost_member *members[]; /* by id; NULL: free */
};

/* False: too large for this machine. */
bool object_lay_out(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape);

/* Turns zeroed memory into an object nobody has entered. */
void object_prepare(char *memory, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape);

#endif
