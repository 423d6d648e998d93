/* SPDX-License-Identifier: BSD-2-Clause */
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_name(bool groups)
{
	return groups ? "group" : "assignment";
}

void value_print(char text[VALUE_ROOM], enum store_range range, bool groups,
		 uint64_t value)
{
	if (range == STORE_POOL)
		snprintf(text, VALUE_ROOM, "1 %s %" PRIu64 "%s",
			 kind_name(groups), store_pool_k(value),
			 store_pool_paused(value) ? " paused" : "");
	else if (groups)
		snprintf(text, VALUE_ROOM, "%016" PRIx64, value);
	else
		snprintf(text, VALUE_ROOM, "-");
}

bool value_parse(uint64_t *value, enum store_range range, bool groups,
		 const char *text, size_t length)
{
	char again[VALUE_ROOM];
	const char *kind, *number;

	*value = 0;
	if (range == STORE_MEMBER)
		return true;
	if (length >= VALUE_ROOM)
		return false;
	if (range == STORE_POOL) {
		kind = strchr(text, ' ');
		number = kind ? strchr(kind + 1, ' ') : NULL;
		*value = store_pool(number ? strtoull(number, NULL, 10) : 0,
				    strstr(text, " paused") != NULL);
	} else if (groups) {
		*value = strtoull(text, NULL, 16);
	}
	/* Refuses a second spelling: the text must be what value_print
	 * writes. */
	value_print(again, range, groups, *value);
	return strlen(again) == length && memcmp(again, text, length) == 0;
}
