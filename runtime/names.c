/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/names.h"

#include "runtime/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One name of the text. */
struct name {
	const char *text; /* not terminated */
	size_t length;
};

/* The names of a text, sorted. */
struct list {
	struct name *at;
	unsigned count;
};

size_t names_length(const char *names)
{
	return names ? strnlen(names, NAMES_MOST + 1) : 0;
}

static int by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = memcmp(x->text, y->text,
			   x->length < y->length ? x->length : y->length);

	if (order || x->length == y->length)
		return order;
	return x->length < y->length ? -1 : 1;
}

/* Text from a file can have thousands of names, so the names are sorted before
 * they are compared.  The caller frees list->at. */
static int sort(struct list *list, const char *names)
{
	list->count = 1;
	for (const char *c = names; *c; c++)
		list->count += *c == ',';
	list->at = malloc(list->count * sizeof *list->at);
	if (!list->at)
		return error_is(ATMOST_ENOMEM);
	for (unsigned slot = 0; slot < list->count; slot++) {
		size_t length = strcspn(names, ",");

		list->at[slot] = (struct name){ names, length };
		names += length + 1;
	}
	qsort(list->at, list->count, sizeof *list->at, by_text);
	return 0;
}

static int check_name(unsigned slot, const char *name, size_t length)
{
	if (length == 0)
		return error_say(ATMOST_ESHAPE,
				 "names: the name of slot %u is empty", slot);
	if (length > NAME_MOST)
		return error_say(ATMOST_ESHAPE,
				 "names: the name of slot %u has %zu bytes; it "
				 "must have at most %d",
				 slot, length, NAME_MOST);
	for (size_t i = 0; i < length; i++) {
		unsigned byte = (unsigned char)name[i];

		if (byte < 0x20 || byte == 0x7f)
			return error_say(ATMOST_ESHAPE,
					 "names: the name of slot %u has the "
					 "control byte 0x%02x",
					 slot, byte);
	}
	return 0;
}

static int check_each(const char *names)
{
	for (unsigned slot = 0;; slot++) {
		size_t length = strcspn(names, ",");
		int error = check_name(slot, names, length);

		if (error || !names[length])
			return error;
		names += length + 1;
	}
}

/* Returns the number of names, or an error. */
static int check_distinct(const char *names)
{
	struct list list;
	int result = sort(&list, names);

	if (result)
		return result;
	result = (int)list.count;
	for (unsigned i = 1; i < list.count && result > 0; i++)
		if (by_text(&list.at[i - 1], &list.at[i]) == 0)
			result = error_say(ATMOST_ESHAPE,
					   "names: two slots have the name "
					   "\"%.*s\"",
					   (int)list.at[i].length,
					   list.at[i].text);
	free(list.at);
	return result;
}

int names_check(const struct atmost_shape *shape)
{
	int error;

	if (!shape->names)
		return 0;
	if (shape->kind != ATMOST_ASSIGNMENT)
		return error_say(ATMOST_ESHAPE,
				 "names: kind is %s, but only an assignment "
				 "pool can have slot names",
				 atmost_kind_name(shape->kind));
	if (names_length(shape->names) > NAMES_MOST)
		return error_say(ATMOST_ESHAPE,
				 "names: the text has more than %d bytes",
				 NAMES_MOST);
	error = check_each(shape->names);
	return error ? error : check_distinct(shape->names);
}

static bool are_equal(const struct list *a, const struct list *b)
{
	bool equal = a->count == b->count;

	for (unsigned i = 0; i < a->count && equal; i++)
		equal = by_text(&a->at[i], &b->at[i]) == 0;
	return equal;
}

/* Shows as many of the pool's names as fit in the message. */
static int differ(const char *there, const char *name)
{
	enum { SHOWN = 240 };
	size_t length = strlen(there);
	const char *rest = "";

	if (length > SHOWN) {
		for (length = SHOWN; there[length] != ',';)
			length--;
		rest = ",...";
	}
	return error_say(ATMOST_ESHAPE,
			 "%s: the slot names differ from those of the pool; "
			 "give none, or these: %.*s%s",
			 name, (int)length, there, rest);
}

int names_compare(const char *there, const struct atmost_shape *wanted,
		  const char *name)
{
	struct list a = { NULL, 0 }, b = { NULL, 0 };
	int error = names_check(wanted);

	if (error < 0)
		return error;
	if (!there)
		return error_say(ATMOST_ESHAPE,
				 "%s: the slots have no names, but names were "
				 "asked for",
				 name);
	error = sort(&a, there);
	if (!error)
		error = sort(&b, wanted->names);
	if (!error && !are_equal(&a, &b))
		error = differ(there, name);
	free(a.at);
	free(b.at);
	return error;
}
