/* SPDX-License-Identifier: BSD-2-Clause */
#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const range_name[STORE_RANGES] = {
	[STORE_POOL] = "pool",
	[STORE_SLOT] = "s/",
	[STORE_MEMBER] = "m/",
	[STORE_WAITER] = "w/",
};

enum { LONGEST_TAIL = sizeof "/m/0123456789abcdef" };

bool key_root_fits(const char *root)
{
	return strlen(root) + LONGEST_TAIL <= KEY_ROOM;
}

void key_print_range(char text[KEY_ROOM], const char *root,
		     enum store_range range)
{
	snprintf(text, KEY_ROOM, "%s/%s", root, range_name[range]);
}

void key_print(char text[KEY_ROOM], const char *root, const struct key *key)
{
	const char *name = range_name[key->range];

	switch (key->range) {
	case STORE_MEMBER:
	case STORE_WAITER:
		snprintf(text, KEY_ROOM, "%s/%s%016" PRIx64, root, name,
			 (uint64_t)key->lease);
		break;
	case STORE_SLOT:
		snprintf(text, KEY_ROOM, "%s/%s%04u", root, name, key->slot);
		break;
	default:
		key_print_range(text, root, key->range);
	}
}

/* Reads digits of a base from 2 to 16, until the text ends or another character
 * comes. */
static uint64_t number(const char *text, unsigned base)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t value = 0;

	for (const char *at; *text && (at = strchr(digits, *text)) &&
			     (size_t)(at - digits) < base;
	     text++)
		value = value * base + (uint64_t)(at - digits);
	return value;
}

bool key_parse(struct key *key, const char *root, const char *text,
	       size_t length)
{
	const size_t prefix = strlen(root);
	char again[KEY_ROOM];

	if (length <= prefix + 1 || length >= KEY_ROOM ||
	    memcmp(text, root, prefix) != 0 || text[prefix] != '/')
		return false;
	*key = (struct key){ 0 };
	for (unsigned i = 0; i < STORE_RANGES; i++)
		if (strncmp(text + prefix + 1, range_name[i],
			    strlen(range_name[i])) == 0)
			key->range = (enum store_range)i;
	text += prefix + 1;
	if (key->range == STORE_SLOT)
		key->slot = (unsigned)number(text + 2, 10);
	else if (key->range != STORE_POOL)
		key->lease = (int64_t)number(text + 2, 16);
	/* Refuses a second spelling: the text must be what key_print writes. */
	key_print(again, root, key);
	return strlen(again) == length &&
	       memcmp(again, text - prefix - 1, length) == 0;
}
