/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/progress.h"

#include "cli/live.h"
#include "cli/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void progress_say(const char *format, ...)
{
	char line[256];
	va_list arguments;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	live_rewrite(line);
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
	live_erase();
}
