/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_PASSAGE_H
#define ATMOST_CHECKER_PASSAGE_H

#include "memory/simulated/simulated.h"

/* The results of STEP_SLEEP: make another pass at once, give up, or make
 * another pass after a nap. */
enum { PASSAGE_LOOK_AGAIN, PASSAGE_GIVE_UP, PASSAGE_SLEPT };

void passage_run(struct simulated_process *a);
void passage_recover(struct simulated_process *a);

/* Set k to a->self.argument. */
void passage_resize(struct simulated_process *a);

#endif
