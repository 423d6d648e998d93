/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks whether a recorded history is linearizable.  It is linearizable if
 * each operation can be given one instant between its invocation and its end,
 * and a sequential object returns all recorded results when the operations are
 * applied to it in the order of these instants.
 *
 * The checker tries all orders, as Wing and Gong do ("Testing and verifying
 * concurrent objects", 1993).  But it visits each resulting state once, and
 * applies an operation only when the end of an operation requires it, as Lowe
 * does ("Testing for linearizability", 2017).  Between two events the checker
 * keeps the set of explanations; an explanation is the set of pending
 * operations that have happened, and the state.  While no operation is pending,
 * the explanations are just states, and the checker forgets the past.  So a
 * history can be long, provided that no more than 64 operations overlap.
 */
#ifndef ATMOST_TESTS_LINEAR_LINEAR_H
#define ATMOST_TESTS_LINEAR_LINEAR_H

#include "model.h"

#include <stdbool.h>

static const uint64_t LINEAR_NEVER = UINT64_MAX;

/*
 * Stamps order the history; no two are equal.  An operation that did not
 * return, because its caller was killed, happened before `ended` or not at all.
 */
struct linear_operation {
	uint64_t invoked, ended; /* stamps; LINEAR_NEVER: it has no end */
	bool returned;           /* the operation returned `result` */
	uint64_t operation, argument[MODEL_WORDS], result[MODEL_WORDS];
};

enum linear_verdict {
	LINEARIZABLE,
	NOT_LINEARIZABLE,
	TOO_LARGE /* more than 64 overlap, or a million explanations */
};

struct linear_report {
	enum linear_verdict verdict;
	size_t culprit; /* the first operation whose end has no explanation */
	size_t most;    /* the most explanations at the same time */
};

struct linear_report linear_check(const struct model *model, unsigned capacity,
				  const struct linear_operation *history,
				  size_t count);

/* Prints the operation `culprit` and the operations that overlap it. */
void linear_print(const struct model *model,
		  const struct linear_operation *history, size_t count,
		  size_t culprit);

#endif
