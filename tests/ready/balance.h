/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accounts of what went into an object and what came out of it, after it was
 * emptied.  Values are unique, so they balance only if each operation that is
 * known to have happened did so once, and no other did.  This knows nothing of
 * orders, but for those of a queue: that is for book_check.
 */
#ifndef ATMOST_TESTS_READY_LEDGER_H
#define ATMOST_TESTS_READY_LEDGER_H

#include "book.h"

/* NULL: they balance; else what does not. */
const char *ledger_check(const struct book *book, unsigned which);

#endif
