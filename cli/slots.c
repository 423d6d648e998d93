/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned slots_count(const char *names)
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

/* The name of a slot, and its length. */
static const char *name_at(const char *names, unsigned slot, size_t *length)
{
	while (slot-- > 0)
		names += strcspn(names, ",") + 1;
	*length = strcspn(names, ",");
	return names;
}

const char *slots_check(const char *setting, bool names)
{
	const char *equals = strchr(setting, '='), *at;

	if (!equals || equals == setting)
		return "it is not VAR=TEMPLATE";
	if (setting[0] >= '0' && setting[0] <= '9')
		return "the variable begins with a digit";
	for (at = setting; at < equals; at++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
			    "xyz0123456789_",
			    *at))
			return "a variable has letters, digits and _ only";
	for (at = equals; (at = strchr(at + 1, '{')) != NULL;) {
		if (strncmp(at, "{name}", 6) == 0 && !names)
			return "{name} needs --slots or --names";
		if (strncmp(at, "{name}", 6) != 0 &&
		    strncmp(at, "{slot}", 6) != 0 &&
		    strncmp(at, "{pool}", 6) != 0)
			return "only {slot}, {pool} and {name} may stand in "
			       "braces";
	}
	return NULL;
}

static void expand(FILE *to, const char *template, const char *pool,
		   unsigned slot, const char *names)
{
	for (const char *at = template; *at; at++) {
		if (strncmp(at, "{slot}", 6) == 0) {
			fprintf(to, "%u", slot);
		} else if (strncmp(at, "{pool}", 6) == 0) {
			fputs(pool, to);
		} else if (strncmp(at, "{name}", 6) == 0) {
			size_t length;
			const char *name = name_at(names, slot, &length);

			fprintf(to, "%.*s", (int)length, name);
		} else {
			fputc(*at, to);
			continue;
		}
		at += 5;
	}
}

static bool set(const char *setting, const char *pool, unsigned slot,
		const char *names)
{
	char *text = NULL, *equals;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool done = false;

	if (!to)
		return false;
	expand(to, setting, pool, slot, names);
	if (fclose(to) == 0 && (equals = strchr(text, '=')) != NULL) {
		*equals = '\0';
		done = setenv(text, equals + 1, 1) == 0;
	}
	free(text);
	return done;
}

bool slots_tell(const char *pool, unsigned slot, const char *names,
		const struct texts *settings)
{
	char number[16];
	bool done;

	snprintf(number, sizeof number, "%u", slot);
	done = setenv("ATMOST_SLOT", number, 1) == 0 &&
	       setenv("ATMOST_POOL", pool, 1) == 0;
	for (size_t i = 0; done && i < settings->count; i++)
		done = set(settings->text[i], pool, slot, names);
	return done;
}
