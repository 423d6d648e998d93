/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a recorded history is linearizable: whether each operation can be
 * given one instant between its invocation and its end, so that in this order
 * the object, used by one alone, gives all the results.
 *
 * All orders are tried, as Wing and Gong do ("Testing and verifying concurrent
 * objects", 1993), but each state that they lead to once, and an operation
 * only when one has ended that needs it, as Lowe does ("Testing for
 * linearizability", 2017).  So what is kept between two events is the set of
 * explanations: which of the operations under way have happened, and the state.
 * Where nobody is at the object, that is a set of states, and the past need not
 * be kept: histories may be long, if no more than 64 operations overlap.
 */
#ifndef ATMOST_TESTS_LINEAR_LINEAR_H
#define ATMOST_TESTS_LINEAR_LINEAR_H

#include "model.h"

#include <stdbool.h>

static const uint64_t LINEAR_NEVER = UINT64_MAX;

/*
 * Stamps order the history; no two are equal.  An operation that has not
 * returned, because its caller was killed, has happened at an instant before
 * `ended` or not at all.
 */
struct linear_operation {
	uint64_t invoked, ended; /* stamps; LINEAR_NEVER: it may yet happen */
	bool returned;           /* with this result */
	uint64_t operation, argument[MODEL_WORDS], result[MODEL_WORDS];
};

enum linear_verdict {
	LINEARIZABLE,
	NOT_LINEARIZABLE,
	TOO_LARGE /* more than 64 overlap, or a million explanations */
};

struct linear_report {
	enum linear_verdict verdict;
	size_t culprit; /* the first whose end nothing explains */
	size_t most;    /* explanations at the same time */
};

struct linear_report linear_check(const struct model *model, unsigned capacity,
				  const struct linear_operation *history,
				  size_t count);

/* Prints the operation and those that overlap it. */
void linear_print(const struct model *model,
		  const struct linear_operation *history, size_t count,
		  size_t culprit);

#endif
