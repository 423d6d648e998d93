/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file tests/check/large lists the instances that have more states than a
 * small run searches, so that a small run does not begin to search them.
 */
#ifndef ATMOST_TESTS_CHECK_LARGE_H
#define ATMOST_TESTS_CHECK_LARGE_H

#include "check.h"

enum { LARGE_NAME = 300 };

/* Writes the name that the file gives the instance. */
void large_name(char name[LARGE_NAME], const char *algorithm,
		const struct ask *ask);

/* Returns whether the file lists the name. */
bool large_lists(const char *name);

#endif
