/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_SHORTEN_H
#define ATMOST_CHECKER_SHORTEN_H

#include "checker/workers.h"

/*
 * Replace workers->found, a schedule that violates `property`, by a shorter
 * one.  If a breadth-first search stays within the memory and the time, the
 * result is a shortest schedule.  Otherwise the result is the old schedule
 * without choices that the violation does not need.
 */
void shorten(const struct question *q, struct workers *workers,
	     unsigned property, size_t memory, double seconds);

#endif
