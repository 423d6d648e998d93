/* SPDX-License-Identifier: BSD-2-Clause */
/* The templates of --set and --substitute: texts with {slot}, {pool} and
 * {name}. */
#ifndef ATMOST_CLI_TEMPLATE_H
#define ATMOST_CLI_TEMPLATE_H

#include <stdbool.h>

struct template_values {
	const char *pool;
	unsigned slot;
	const char *names; /* "a,b,c"; NULL: the slots have no names */
};

/* Returns a message about an error in the braces of a text; NULL: there is no
 * error. */
const char *template_error(const char *text);

/* True: the text contains {name}, so the slots must have names. */
bool template_has_name(const char *text);

/* Returns the text with the values filled in; other braces stay as they are.
 * The caller frees it.  NULL: out of memory. */
char *template_expand(const char *text, const struct template_values *values);

#endif
