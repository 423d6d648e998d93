/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The values of words as etcd has them: ASCII that a person can read.
 *
 *   pool     "1 assignment 4", "1 group 0 paused": the format, the kind of pool,
 *            the limit, and whether no member may enter
 *   slot     the session, 16 hexadecimal digits; "-" without groups
 *   waiter   the same
 *   member   a line about the member, which is not read back
 */
#ifndef ATMOST_MEMORY_ETCD_VALUES_H
#define ATMOST_MEMORY_ETCD_VALUES_H

#include "transaction.h"

enum { VALUE_ROOM = 64 };

/* Writes the value of a word that is no member. */
void value_print(char text[VALUE_ROOM], enum store_range, bool groups,
		 uint64_t value);

/* Reads it.  Returns false if the text is not what value_print writes for this
 * kind of pool. */
bool value_parse(uint64_t *value, enum store_range, bool groups,
		 const char *text, size_t length);

#endif
