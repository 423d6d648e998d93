/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * danek-3.1 and danek-5.1: runs of the thesis in place of an adversary.  They do
 * not look for the worst: they tell what leaving must cost, and how many get in
 * together.
 */
#ifndef ATMOST_CHECKER_MEASURE_THESIS_H
#define ATMOST_CHECKER_MEASURE_THESIS_H

#include "checker/lab.h"
#include "checker/question.h"

bool measure_is_of_thesis(const char *adversary);

/* False: no memory. */
bool measure_thesis(const struct question *q, const char *run,
		    struct lab_row *row);

#endif
