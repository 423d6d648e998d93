/* SPDX-License-Identifier: BSD-2-Clause */
/* One line on stderr, rewritten in place; nothing if that is no terminal. */
#ifndef ATMOST_CLI_PROGRESS_H
#define ATMOST_CLI_PROGRESS_H

#include "checker/check.h"

void progress_show(const struct lab_progress *p);
void progress_say(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void progress_erase(void);

#endif
