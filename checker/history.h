/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the linearizability of an object type.  A history is the set of all
 * explanations of the events so far.  An explanation is a state of the
 * sequential specification and, for each operation in progress, whether the
 * operation has taken effect and with which result.  If no explanation is left,
 * the property is violated.
 */
#ifndef ATMOST_CHECKER_HISTORY_H
#define ATMOST_CHECKER_HISTORY_H

#include "algorithms/algorithm.h"

struct history;

enum { HISTORY_OPERATORS = 4 }; /* largest number of processes */

struct history *history_open(const struct algorithm *a);
void history_close(struct history *h);
void history_reset(struct history *h);

void history_invoke(struct history *h, unsigned p, uint64_t operation,
		    uint64_t argument);
void history_return(struct history *h, unsigned p, uint64_t result);

/* The operation of p has not taken effect and never will: p died or gave up. */
void history_never(struct history *h, unsigned p);

unsigned history_refused(const struct history *h);

/* Returns true if there were too many explanations to store, so that there is
 * no verdict. */
bool history_overflowed(const struct history *h);

uint64_t history_hash(const struct history *h);

/* Returns a hash of the same data that shares no code with history_hash; it is
 * 0 if h is NULL. */
uint64_t history_second_hash(const struct history *h);

/* Save the set to memory of history_size bytes, and restore it. */
size_t history_size(const struct history *h);
void history_save(const struct history *h, void *to);
void history_restore(struct history *h, const void *from);

#endif
