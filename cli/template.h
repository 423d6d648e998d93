/* SPDX-License-Identifier: BSD-2-Clause */
/* Expands the templates of --set: texts with {slot}, {pool} and {name}. */
#ifndef ATMOST_CLI_TEMPLATE_H
#define ATMOST_CLI_TEMPLATE_H

#include <stdbool.h>

struct template_values {
	const char *pool;
	unsigned slot;
	const char *names; /* "a,b,c"; NULL: the slots have no names */
};

/* Returns a message about an error in the braces of a text, or NULL if there is
 * no error.  `has_names` says that the slots have names, so that {name} is
 * allowed. */
const char *template_error(const char *text, bool has_names);

/* Returns the text with the values filled in, or NULL if there is no memory.
 * The caller frees the text. */
char *template_expand(const char *text, const struct template_values *values);

#endif
