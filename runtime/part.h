/* SPDX-License-Identifier: BSD-2-Clause */
/* A member parts when its thread calls atmost_part, or when its thread ends. */
#ifndef ATMOST_RUNTIME_PART_H
#define ATMOST_RUNTIME_PART_H

#include "runtime/member.h"

/* Ensures that the members of this thread part when the thread ends.  Returns 0
 * or ATMOST_ENOMEM. */
int part_at_thread_end(void);

/* Makes the member's id vacant.  Its life lock and file lock stay held. */
void part_vacate(struct enrolled *e);

#endif
