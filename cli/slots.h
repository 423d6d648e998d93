/* SPDX-License-Identifier: BSD-2-Clause */
/* What the command is told of its slot: names of slots, and templates. */
#ifndef ATMOST_CLI_SLOTS_H
#define ATMOST_CLI_SLOTS_H

#include "cli/options.h"

#include <stdbool.h>

/* a,b,c: how many there are; 0: one of them is empty. */
unsigned slots_count(const char *names);

/* VAR=TEMPLATE, with {slot}, {pool} and {name} alone in braces.  NULL, or what
 * is wrong with it; `names`: there are any. */
const char *slots_check(const char *setting, bool names);

/* Puts ATMOST_SLOT, ATMOST_POOL and the settings into the environment; false:
 * out of memory. */
bool slots_tell(const char *pool, unsigned slot, const char *names,
		const struct texts *settings);

#endif
