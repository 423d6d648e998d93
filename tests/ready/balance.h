/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A balance compares the values that went into an object with the values that
 * came out, after the object was emptied.  Values are unique, so the balance is
 * even only if each operation with a result happened once and no other
 * operation happened.  Except for queues, the balance ignores the order of
 * operations; journal_check checks the order.
 */
#ifndef ATMOST_TESTS_READY_BALANCE_H
#define ATMOST_TESTS_READY_BALANCE_H

#include "journal.h"

/*
 * Returns NULL if the balance is even, else a text that says what is wrong with
 * it.
 */
const char *balance_check(const struct journal *journal, unsigned which);

#endif
