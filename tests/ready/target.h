/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The target is the shared object that a test uses.  It has a ready-made type
 * and a journal of its operations.
 */
#ifndef ATMOST_TESTS_READY_TARGET_H
#define ATMOST_TESTS_READY_TARGET_H

#include "atmost/resilient.h"
#include "journal.h"

/* The capacity is small, so that the object is often full and often empty.
 * Then journal_check soon excludes most orders of overlapping operations. */
enum { CAPACITY = 5 };

struct target {
	struct journal *journal;
	unsigned which, k, members;
	struct atmost_object *object;
};

struct atmost_object_type target_type(unsigned which, unsigned capacity);

/*
 * Opens the object under this name.  If the name is NULL, creates an object for
 * the threads of this process.  The object's function yields now and then.  A
 * process has one target at a time.  Returns false if the object cannot be
 * opened; atmost_detail then says why.
 */
bool target_open(struct target *target, const char *name);

#endif
