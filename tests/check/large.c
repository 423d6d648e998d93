/* SPDX-License-Identifier: BSD-2-Clause */
#include "large.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(char *name, const char *field, const char *text)
{
	const size_t used = strlen(name);

	snprintf(name + used, LARGE_NAME - used, "%s%s", field, text);
}

static void add_number(char *name, const char *field, int number)
{
	char digits[16];

	snprintf(digits, sizeof digits, "%d", number);
	if (number)
		add_text(name, field, digits);
}

static void add_list(char *name, const char *field, const int *list, int most)
{
	for (int i = 0; i < most && list[i]; i++)
		add_number(name, i ? "," : field, list[i]);
}

void large_name(char name[LARGE_NAME], const char *algorithm,
		const struct ask *ask)
{
	name[0] = '\0';
	add_text(name, "", algorithm);
	add_number(name, " n=", ask->n);
	add_number(name, " k=", ask->k);
	add_number(name, " sessions=", ask->sessions);
	add_number(name, " passages=", ask->passages);
	add_list(name, " each=", ask->each, LAB_MAX_N);
	add_list(name, " resize=", ask->resize, LAB_MAX_RESIZES);
	add_number(name, " crashes=", ask->no_crashes ? -1 : ask->crashes);
	add_number(name, " deaths=", ask->deaths);
	add_number(name, " aborts=", ask->aborts);
	add_number(name, " steps-of=", (int)ask->steps_of);
	if (ask->only)
		add_text(name, " only=", ask->only);
	if (ask->also)
		add_text(name, " also=", ask->also);
}

bool large_lists(const char *name)
{
	const char *other = getenv("ATMOST_LARGE");
	FILE *from = fopen(other ? other : ATMOST_LARGE, "r");
	char text[LARGE_NAME + 1];
	bool found = false;

	if (!from)
		fail_msg("there is no %s", other ? other : ATMOST_LARGE);
	while (!found && fgets(text, sizeof text, from)) {
		text[strcspn(text, "\n")] = '\0';
		found = strcmp(text, name) == 0;
	}
	fclose(from);
	return found;
}
