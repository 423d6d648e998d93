/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_ALGORITHMS_DISTANCE_H
#define ATMOST_ALGORITHMS_DISTANCE_H

enum { DISTANCE_FAR = 64 };

/*
 * Returns the distance between the typed text and a name: the Levenshtein
 * distance, but at most 1 if the name begins with the typed text, and at most 2
 * if one of the two contains the other.  Returns DISTANCE_FAR if a text is too
 * long to compare.
 */
unsigned distance_of_names(const char *typed, const char *name);

#endif
