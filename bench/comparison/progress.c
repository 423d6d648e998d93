/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/comparison/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct label label_of_cell(const struct cell *cell)
{
	const char *on = cell->processes ? "processes" : "threads";
	struct label l;

	if (cell->sessions)
		snprintf(l.text, sizeof l.text, "%s T=%u sessions=%u %s %s", on,
			 cell->n, cell->sessions,
			 cell->random ? "random" : "fixed",
			 cell->section->name);
	else
		snprintf(l.text, sizeof l.text, "%s T=%u k=%u %s", on, cell->n,
			 cell->k, cell->section->name);
	return l;
}

void print_progress(const char *format, ...)
{
	va_list arguments;

	if (!isatty(STDERR_FILENO))
		return;
	fputs("\r\033[K", stderr);
	if (format) {
		va_start(arguments, format);
		vfprintf(stderr, format, arguments);
		va_end(arguments);
	}
	fflush(stderr);
}
