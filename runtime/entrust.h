/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members that live as long as a process does, beside their life lock; and what
 * their records say in words.
 */
#ifndef ATMOST_RUNTIME_ENTRUST_H
#define ATMOST_RUNTIME_ENTRUST_H

#include "runtime/layout.h"

/* The member is entrusted to a process that is not known to be gone. */
bool entrust_lives(const struct record *record);

/*
 * Adds the end of the process that the member is entrusted to to what a sleeper
 * watches.  False: it is not, or nobody can tell us of its end.
 */
bool entrust_watch(const struct record *record, struct wait_watch *watch);

/* When the sleep is over. */
void entrust_unwatch(struct wait_watch *watch);

/* Texts of 31 bytes and a zero, in four words. */
void entrust_write_text(struct word words[4], const char text[32]);
void entrust_read_text(struct word words[4], char text[32]);

#endif
