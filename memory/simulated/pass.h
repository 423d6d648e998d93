/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records the words that a waiting process reads in a pass.  A pass is one
 * evaluation of its poll or of its await_any.  A process whose pass has failed
 * sleeps until one of these words changes.
 */
#ifndef ATMOST_MEMORY_SIMULATED_PASS_H
#define ATMOST_MEMORY_SIMULATED_PASS_H

#include "memory/simulated/simulated.h"

/* Note that p has read this value from this word. */
void pass_note_read(unsigned p, size_t word, uint64_t value);

/* Whether p is in a poll that is repeated after every nap. */
bool pass_is_repeated(unsigned p);

/* Note that the next pass of p may end differently even if no word changes. */
void pass_note_effect(unsigned p);

/* Returns whether p sleeps and watches this word. */
bool pass_sleeps_on(unsigned p, size_t word);

#endif
