/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A balance of the values that went into an object and the values that came
 * out, after the object was emptied.  Values are unique, so the balance is even
 * only if each operation with a result happened once, and no other happened.
 * Except for queues it ignores the order of operations; journal_check checks
 * that.
 */
#ifndef ATMOST_TESTS_READY_BALANCE_H
#define ATMOST_TESTS_READY_BALANCE_H

#include "journal.h"

/* NULL: the balance is even; else what is wrong with it. */
const char *balance_check(const struct journal *journal, unsigned which);

#endif
