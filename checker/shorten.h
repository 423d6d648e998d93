/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_SHORTEN_H
#define ATMOST_CHECKER_SHORTEN_H

#include "checker/workers.h"

/*
 * Replace workers->found, which violates `property`, by a shorter schedule: a
 * shortest one, by breadth-first search, if its frontier fits into memory;
 * otherwise the same one without the choices that it does not need.
 */
void shorten(const struct question *q, struct workers *workers,
	     unsigned property, size_t memory, double seconds);

#endif
