/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts with {slot}, {pool} and {name}, which --set takes. */
#ifndef ATMOST_CLI_TEMPLATE_H
#define ATMOST_CLI_TEMPLATE_H

#include <stdbool.h>

struct template_values {
	const char *pool;
	unsigned slot;
	const char *names; /* "a,b,c"; NULL: the slots have no names */
};

/* Returns what is wrong with the braces of a text; NULL: nothing.  `has_names`:
 * the slots have names, so that {name} is allowed. */
const char *template_error(const char *text, bool has_names);

/* Returns the text with the values filled in, to be freed; NULL: out of
 * memory. */
char *template_expand(const char *text, const struct template_values *values);

#endif
