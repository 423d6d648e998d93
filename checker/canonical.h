/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Computes the canonical fingerprint of a state.  Some differences between
 * values of a counter do not matter (struct counter).  Two states that differ
 * in nothing else have the same canonical fingerprint.  The state itself does
 * not change, so processes always run with the values that they have really
 * computed.
 */
#ifndef ATMOST_CHECKER_CANONICAL_H
#define ATMOST_CHECKER_CANONICAL_H

#include "checker/world.h"

struct canonical;

/* The caller has opened the world.  Returns NULL if there is no memory. */
struct canonical *canonical_open(void);
void canonical_close(struct canonical *c);

/* Returns whether the memory was not enough for a fingerprint. */
bool canonical_full(const struct canonical *c);
size_t canonical_bytes(const struct canonical *c);

/* Returns the canonical fingerprint of the current state of w. */
uint64_t canonical_hash(struct canonical *c, const struct world *w);

#endif
