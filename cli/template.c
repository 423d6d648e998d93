/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/template.h"

#include "cli/slot_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACEHOLDER = 6 }; /* length of each placeholder */

static bool is_at(const char *text, const char *placeholder)
{
	return strncmp(text, placeholder, PLACEHOLDER) == 0;
}

static bool is_placeholder(const char *text)
{
	return is_at(text, "{slot}") || is_at(text, "{pool}") ||
	       is_at(text, "{name}");
}

const char *template_error(const char *text)
{
	for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{'))
		if (!is_placeholder(at))
			return "only {slot}, {pool} and {name} can be in braces";
	return NULL;
}

bool template_has_name(const char *text)
{
	return strstr(text, "{name}") != NULL;
}

static void expand(FILE *to, const char *text,
		   const struct template_values *values)
{
	for (const char *at = text; *at; at++) {
		if (is_at(at, "{slot}")) {
			fprintf(to, "%u", values->slot);
		} else if (is_at(at, "{pool}")) {
			fputs(values->pool, to);
		} else if (is_at(at, "{name}")) {
			size_t length;
			const char *name = slot_names_at(values->names,
							 values->slot, &length);

			fprintf(to, "%.*s", (int)length, name);
		} else {
			fputc(*at, to);
			continue;
		}
		at += PLACEHOLDER - 1;
	}
}

char *template_expand(const char *text, const struct template_values *values)
{
	char *expanded = NULL;
	size_t size;
	FILE *to = open_memstream(&expanded, &size);

	if (!to)
		return NULL;
	expand(to, text, values);
	if (fclose(to) != 0) {
		free(expanded);
		return NULL;
	}
	return expanded;
}
