/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads bytes as every kind of answer of etcd. */
#ifndef ATMOST_TESTS_FUZZ_READ_ANSWERS_H
#define ATMOST_TESTS_FUZZ_READ_ANSWERS_H

#include <stddef.h>

/*
 * Reads the bytes with every reader of memory/etcd, and applies what a watch
 * would apply to a replica.  Aborts if a reader accepts a value that no step
 * may use: an alternative that was not asked for, a revision that is not
 * positive, a key without a name, a slot that has no word.  Returns how many
 * readers accepted the bytes.
 */
unsigned read_answers(const char *bytes, size_t length);

/* Good answers to begin with; ends with NULL. */
extern const char *const good_answers[];

#endif
