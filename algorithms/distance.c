/* SPDX-License-Identifier: BSD-2-Clause */
#include "algorithms/distance.h"

#include <string.h>

static unsigned edits(const char *typed, const char *name, size_t length)
{
	unsigned row[DISTANCE_FAR + 1];

	for (unsigned j = 0; j <= length; j++)
		row[j] = j;
	for (unsigned i = 0; typed[i]; i++) {
		unsigned corner = row[0];

		row[0] = i + 1;
		for (unsigned j = 0; j < length; j++) {
			unsigned best = corner + (typed[i] != name[j]);

			corner = row[j + 1];
			best = best > row[j] + 1 ? row[j] + 1 : best;
			best = best > corner + 1 ? corner + 1 : best;
			row[j + 1] = best;
		}
	}
	return row[length];
}

unsigned distance_of_names(const char *typed, const char *name)
{
	size_t length = strlen(name), typed_length = strlen(typed);
	unsigned d;

	if (length >= DISTANCE_FAR || typed_length >= DISTANCE_FAR)
		return DISTANCE_FAR;
	d = edits(typed, name, length);
	if (d > 1 && typed_length && strncmp(typed, name, typed_length) == 0)
		return 1;
	if (d > 2 && typed_length &&
	    (strstr(name, typed) || strstr(typed, name)))
		return 2;
	return d;
}
