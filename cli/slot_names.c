/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/slot_names.h"

#include <string.h>

unsigned slot_names_count(const char *names)
{
	unsigned count = 0;

	for (;;) {
		size_t length = strcspn(names, ",");

		if (length == 0)
			return 0;
		count++;
		if (!names[length])
			return count;
		names += length + 1;
	}
}

const char *slot_names_at(const char *names, unsigned slot, size_t *length)
{
	while (slot-- > 0)
		names += strcspn(names, ",") + 1;
	*length = strcspn(names, ",");
	return names;
}
