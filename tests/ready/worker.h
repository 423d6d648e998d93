/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker applies operations to the target and writes them into its journal.
 */
#ifndef ATMOST_TESTS_READY_WORKER_H
#define ATMOST_TESTS_READY_WORKER_H

#include "target.h"

struct worker {
	const struct target *target;
	struct atmost_object_member *member;
	unsigned writer;       /* its number in the journal */
	uint64_t random, seen; /* `seen`: a value from its last result */
};

enum tagging { UNTAGGED, TAGGED };

/* Applies a random operation.  Returns 1 if the operation is done, 0 if it is
 * not done because the journal is full, and a negative number on an error. */
int worker_apply_random(struct worker *worker, enum tagging tagging);

/* Applies the operation request[0] with the arguments that follow it; returns
 * the same as worker_apply_random. */
int worker_apply(struct worker *worker, enum tagging tagging,
		 const uint64_t *request, uint64_t *result);

/*
 * Called in a child process: joins, applies operations with tags, and parts,
 * again and again, until the journal says stop.  Then the process exits, with 0
 * if nothing failed.
 */
void worker_run(struct target *target, const char *name, unsigned writer,
		uint64_t random);

#endif
