/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A process that comes, applies operations with tags, and goes, again and
 * again, until it is told to stop, or killed.
 */
#ifndef ATMOST_TESTS_READY_WORKER_H
#define ATMOST_TESTS_READY_WORKER_H

#include "party.h"

/* In the child; it ends there, with 0 if all went well. */
void worker_live(struct party *party, const char *name, unsigned writer,
		 uint64_t random);

#endif
