/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/nearest.h"

#include <string.h>

/* Levenshtein's distance; a name that starts with what was typed is near. */
static size_t distance(const char *typed, const char *name)
{
	enum { LONGEST = 40 };
	size_t row[LONGEST + 1], length = strlen(name);

	if (length > LONGEST || strlen(typed) > LONGEST)
		return LONGEST;
	if (*typed && strncmp(typed, name, strlen(typed)) == 0)
		return strcmp(typed, name) != 0;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; typed[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t best = corner + (typed[i] != name[j]);

			corner = row[j + 1];
			if (best > row[j] + 1)
				best = row[j] + 1;
			if (best > corner + 1)
				best = corner + 1;
			row[j + 1] = best;
		}
	}
	return row[length];
}

const char *nearest_name(const char *typed, const char *const *names)
{
	const char *nearest = NULL;
	size_t least = 4; /* further away is no help */

	for (; *names; names++) {
		size_t d = distance(typed, *names);

		/* Nothing in common is no likeness. */
		if (d < least && d < strlen(*names)) {
			least = d;
			nearest = *names;
		}
	}
	return nearest;
}
