/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_PASSAGE_H
#define ATMOST_CHECKER_PASSAGE_H

#include "memory/simulated/simulated.h"

/* What a STEP_SLEEP may be answered with: look again, perhaps after a real
 * sleep, or give up. */
enum { PASSAGE_LOOK_AGAIN, PASSAGE_GIVE_UP, PASSAGE_SLEPT };

void passage_run(struct simulated_process *a);
void passage_recover(struct simulated_process *a);

/* Set k to its argument. */
void passage_resize(struct simulated_process *a);

#endif
