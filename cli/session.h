/* SPDX-License-Identifier: BSD-2-Clause */
/* The sessions of group pools, as `atmost run` chooses them. */
#ifndef ATMOST_CLI_SESSION_H
#define ATMOST_CLI_SESSION_H

#include <stdint.h>

/* Converts the word of -g to a session.  The result is never 0, because 0 means
 * no session. */
uint64_t session_of_word(const char *word);

/* Returns a session that no other command has, so that this command runs
 * alone. */
uint64_t session_alone(void);

#endif
