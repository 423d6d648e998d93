/* SPDX-License-Identifier: BSD-2-Clause */
/* What `atmost run -v` shows on stderr while it waits. */
#ifndef ATMOST_CLI_SHOWN_H
#define ATMOST_CLI_SHOWN_H

#include <atmost/atmost.h>

/* From now on, until shown_stop: a line that is rewritten on a terminal, a
 * line for each change elsewhere. */
void shown_start(struct atmost *pool, const char *name);
void shown_stop(void);

#endif
