/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/progress.h"

#include "cli/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int shown; /* how long the line is that stands there */

/* A longer line would wrap and could not be rewritten. */
static int room(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		return size.ws_col - 1;
	return 79;
}

static void rewrite(const char *line)
{
	int length = (int)strlen(line), most = room();

	if (length > most)
		length = most;
	fprintf(stderr, "\r%.*s", length, line);
	if (shown > length)
		fprintf(stderr, "%*s\r%.*s", shown - length, "", length, line);
	fflush(stderr);
	shown = length;
}

void progress_say(const char *format, ...)
{
	char line[256];
	va_list arguments;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	rewrite(line);
}

/* " (12%)" of the budget, or nothing where there is none. */
static struct brief share(double used, double budget)
{
	struct brief b = { "" };

	if (budget > 0)
		snprintf(b.text, sizeof b.text, " (%u%%)",
			 (unsigned)(100 * used / budget));
	return b;
}

void progress_show(const struct lab_progress *p)
{
	double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;

	progress_say("%s: %s states, %s/s, depth %s, memory %s%s, %.0f s%s",
		     p->stage, print_count(p->states).text,
		     print_count((uint64_t)rate).text,
		     print_count(p->depth).text, print_size(p->memory).text,
		     share((double)p->memory, (double)p->memory_limit).text,
		     p->seconds, share(p->seconds, p->seconds_limit).text);
}

void progress_erase(void)
{
	if (shown) {
		fprintf(stderr, "\r%*s\r", shown, "");
		fflush(stderr);
	}
	shown = 0;
}
