/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/nearest.h"

#include "algorithms/distance.h"

#include <string.h>

const char *nearest_name(const char *typed, const char *const *names)
{
	const char *nearest = NULL;
	unsigned least = 4; /* further away is no help */

	for (; *names; names++) {
		unsigned d = distance_of_names(typed, *names);

		/* Nothing in common is no likeness. */
		if (d < least && d < strlen(*names)) {
			least = d;
			nearest = *names;
		}
	}
	return nearest;
}
