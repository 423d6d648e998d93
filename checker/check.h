/* SPDX-License-Identifier: BSD-2-Clause */
/* A check in the course of being answered. */
#ifndef ATMOST_CHECKER_CHECK_H
#define ATMOST_CHECKER_CHECK_H

#include "checker/lab.h"
#include "checker/run.h"

enum stage { STAGE_STATES, STAGE_WAKES, STAGE_SHORTEN, STAGE_DONE };

struct lab_check {
	struct lab_question asked;
	struct question question; /* of the run under way */
	enum stage stage;
	struct run run;
	bool running, concluded;
	bool has_cycles; /* the state graph, as a run found */
	double started, violated_at;
	uint64_t violated_states;
	size_t memory;
	unsigned workers;
	enum stop stopped;
	struct lab_answer answer;
	/* the first violation */
	struct question broken;
	struct choice *path;
	size_t length, loop;
	uint64_t bytes;
};

/* The question as it was understood, into the answer. */
void check_fill_answer(struct lab_check *c);

#endif
