/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The line of the paper that a step belongs to: tools/labels makes a table of
 * the labels in the left margin of every algorithm, by file and line.
 */
#include "memory/simulated/label.h"

#include <stdlib.h>
#include <string.h>

const char *label_of(const char *where)
{
	const char *colon = strrchr(where, ':');
	const char *found = "?";
	long line;

	if (!colon)
		return where[0] ? where : "-";
	line = strtol(colon + 1, NULL, 10);
	for (const struct label *l = labels; l->file; l++) {
		size_t length = strlen(l->file);
		const char *tail = colon - length;

		/* The nearest label above counts: a statement may continue on
		 * several lines. */
		if (tail >= where && strncmp(tail, l->file, length) == 0 &&
		    (tail == where || tail[-1] == '/') && l->line <= line)
			found = l->name;
	}
	return found;
}
