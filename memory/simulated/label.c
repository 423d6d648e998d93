/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the line of the paper to which a step belongs.  The labels are in the
 * left margin of every algorithm; tools/labels makes a table of them by file
 * and line.
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

		/* The nearest label at or above the line counts, because a
		 * statement may continue on several lines. */
		if (tail >= where && strncmp(tail, l->file, length) == 0 &&
		    (tail == where || tail[-1] == '/') && l->line <= line)
			found = l->name;
	}
	return found;
}
