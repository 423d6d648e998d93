/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_ALGORITHMS_DISTANCE_H
#define ATMOST_ALGORITHMS_DISTANCE_H

enum { DISTANCE_FAR = 64 };

/*
 * How far a name is from what was typed: Levenshtein's edits; at most 1 if the
 * name begins with it, at most 2 if one contains the other; FAR for names too
 * long to compare.
 */
unsigned distance_of_names(const char *typed, const char *name);

#endif
