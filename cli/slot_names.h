/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads lists of slot names as --slots and --names take them: "a,b,c". */
#ifndef ATMOST_CLI_SLOT_NAMES_H
#define ATMOST_CLI_SLOT_NAMES_H

#include <stddef.h>

/* Returns how many names the list has, or 0 if one of them is empty. */
unsigned slot_names_count(const char *names);

/* Returns the name of a slot and stores the length of the name in *length: a
 * comma may follow the name instead of a null.  The slot must have a name. */
const char *slot_names_at(const char *names, unsigned slot, size_t *length);

#endif
