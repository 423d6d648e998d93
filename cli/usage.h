/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints error messages about wrong usage. */
#ifndef ATMOST_CLI_USAGE_H
#define ATMOST_CLI_USAGE_H

/* Prints the message and names the help page of `command`.  Returns the exit
 * code of this command for wrong usage. */
int usage_error(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints the message and returns EXIT_INTERNAL. */
int internal_error(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the element of the NULL-terminated list `names` that is most similar
 * to `typed`, or NULL if no element is similar. */
const char *usage_similar_name(const char *typed, const char *const *names);

#endif
