/* SPDX-License-Identifier: BSD-2-Clause */
/* What a process remembers of its last pass: the words that the pass has read
 * or named, with their values. */
#ifndef ATMOST_TESTS_EXPLORER_WATCH_H
#define ATMOST_TESTS_EXPLORER_WATCH_H

#include "state.h"

void watch_forget(struct member *m);
void watch_note_read(struct member *m, uint64_t word, uint64_t v);

/* Returns whether another pass may read other values than the last pass did. */
bool watch_may_differ(const struct state *s, unsigned p);

/* Where wakes are steps.  A process falls asleep unless a word that its pass
 * has named has changed; then it remembers on which words it sleeps, not their
 * values. */
bool watch_sleeps_on(const struct state *s, unsigned p, unsigned word);
void watch_fall_asleep(struct state *s, unsigned p);

#endif
