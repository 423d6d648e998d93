/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of the algorithm `random-program`. */
#ifndef ATMOST_TESTS_EXPLORER_SUBJECT_H
#define ATMOST_TESTS_EXPLORER_SUBJECT_H

#include "program.h"

int subject_enter(void *shared, struct process *self);
bool subject_doorway(void *shared, struct process *self);
bool subject_poll(void *shared, struct process *self, struct wait_set *wait);
void subject_settle(void *shared, struct process *self);
void subject_leave(void *shared, struct process *self);
void subject_abort(void *shared, struct process *self);
void subject_recover(void *shared, struct process *self);
void subject_resize(void *shared, const struct shape *shape, unsigned k);
uint64_t subject_apply(void *shared, struct process *self);
bool subject_finish(void *shared, struct process *self);

#endif
