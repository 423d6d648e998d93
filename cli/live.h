/* SPDX-License-Identifier: BSD-2-Clause */
/* A line on stderr that is written again and again: for terminals. */
#ifndef ATMOST_CLI_LIVE_H
#define ATMOST_CLI_LIVE_H

void live_rewrite(const char *line);
void live_erase(void);

#endif
