/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct label progress_label(const struct cell *cell)
{
	struct label l;

	snprintf(l.text, sizeof l.text, "%s T=%u k=%u %s",
		 cell->processes ? "processes" : "threads", cell->n, cell->k,
		 cell->section->name);
	return l;
}

void progress_say(const char *format, ...)
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
