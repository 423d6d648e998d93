/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/slot_names.h"

#include <string.h>

/* Moves *names to the next name.  False: there is no further name. */
static bool next(const char **names)
{
	*names += strcspn(*names, ",");
	if (!**names)
		return false;
	(*names)++;
	return true;
}

unsigned slot_names_count(const char *names)
{
	unsigned count = 0;

	do {
		if (strcspn(names, ",") == 0)
			return 0;
		count++;
	} while (next(&names));
	return count;
}

const char *slot_names_at(const char *names, unsigned slot, size_t *length)
{
	while (slot-- > 0)
		next(&names);
	*length = strcspn(names, ",");
	return names;
}

/* True: a name of the list has these bytes. */
static bool has(const char *names, const char *name, size_t length)
{
	do {
		if (strcspn(names, ",") == length &&
		    memcmp(names, name, length) == 0)
			return true;
	} while (next(&names));
	return false;
}

const char *slot_names_twice(const char *names, size_t *length)
{
	const char *rest = names;

	while (next(&rest)) {
		*length = strcspn(names, ",");
		if (has(rest, names, *length))
			return names;
		names = rest;
	}
	return NULL;
}

bool slot_names_are_same(const char *one, const char *other)
{
	if (slot_names_count(one) != slot_names_count(other))
		return false;
	do {
		if (!has(other, one, strcspn(one, ",")))
			return false;
	} while (next(&one));
	return true;
}
