/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/terminal_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int shown; /* length of the line on the screen */

/* The longest line that the terminal does not wrap.  A wrapped line could not
 * be rewritten. */
static int columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		return size.ws_col - 1;
	return 79;
}

void terminal_line_rewrite(const char *line)
{
	int length = (int)strlen(line), most = columns();

	if (length > most)
		length = most;
	fprintf(stderr, "\r%.*s", length, line);
	if (shown > length)
		fprintf(stderr, "%*s\r%.*s", shown - length, "", length, line);
	fflush(stderr);
	shown = length;
}

void terminal_line_print(const char *format, ...)
{
	char line[256];
	va_list arguments;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	terminal_line_rewrite(line);
}

void terminal_line_erase(void)
{
	if (shown) {
		fprintf(stderr, "\r%*s\r", shown, "");
		fflush(stderr);
	}
	shown = 0;
}
