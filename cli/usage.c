/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/usage.h"

#include "algorithms/distance.h"
#include "cli/command.h"
#include "cli/safe_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The message may quote arguments that come from untrusted files, so it is
 * printed by safe_text_print, which replaces control characters. */
static void print_message(const char *command, const char *format,
			  va_list arguments)
{
	char *text;

	fprintf(stderr, "atmost %s: ", command);
	if (vasprintf(&text, format, arguments) < 0) {
		fputs("out of memory\n", stderr);
		return;
	}
	safe_text_print(stderr, text);
	fputc('\n', stderr);
	free(text);
}

int usage_error(const char *command, const char *format, ...)
{
	const struct command *c = command_find(command);
	va_list arguments;

	va_start(arguments, format);
	print_message(command, format, arguments);
	va_end(arguments);
	fprintf(stderr, "try 'atmost help %s'\n", command);
	return c ? c->usage_exit : EXIT_USAGE;
}

int internal_error(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_message(command, format, arguments);
	va_end(arguments);
	return EXIT_INTERNAL;
}

const char *usage_similar_name(const char *typed, const char *const *names)
{
	const char *similar = NULL;
	unsigned least = 4; /* names at this distance are not similar */

	for (; *names; names++) {
		unsigned d = distance_of_names(typed, *names);

		/* If the distance is the whole length of a name, the two names
		 * have no letter in common. */
		if (d < least && d < strlen(*names)) {
			least = d;
			similar = *names;
		}
	}
	return similar;
}
