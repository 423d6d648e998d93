/* SPDX-License-Identifier: BSD-2-Clause */
/* Slot names: "a,b,c" names the slots 0, 1, 2. */
#ifndef ATMOST_CLI_SLOT_NAMES_H
#define ATMOST_CLI_SLOT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The number of names; 0: one of them is empty. */
unsigned slot_names_count(const char *names);

/* Returns the name of a slot, and its length in *length.  The name does not end
 * with a zero byte. */
const char *slot_names_at(const char *names, unsigned slot, size_t *length);

/* Returns the first name that occurs twice, and its length; NULL: the names are
 * distinct. */
const char *slot_names_twice(const char *names, size_t *length);

/* True: both lists have the same names, in any order.  Neither list has a name
 * twice. */
bool slot_names_are_same(const char *one, const char *other);

#endif
