/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/join.h"

#include "checker/check.h"

#include <stdio.h>
#include <string.h>

/* The promise `weak` follows from the promise `strong`. */
struct implication {
	const char *strong, *weak;
};

static const struct implication implications[] = {
	{ "no-starvation", "no-deadlock" },
	{ "fife", "k-fcfs" },
	{ "fcfs", "k-fcfs" },
	{ "strong-concurrent-entering", "concurrent-entering" },
	{ "concurrent-entering", "concurrent-occupancy" },
	{ "bounded-leave", "exit-termination" },
};

/* Promises of nearly every algorithm. */
static const char *const common[] = {
	"at-most-k",       "session-exclusion", "no-lost-wake",  "prompt-wake",
	"bounded-doorway", "bounded-leave",     "bounded-abort", "quiescence",
	"invariant",       "no-wait-below-k",
};

static unsigned bit_of(const char *property)
{
	int number = lab_property_number(property);

	return number < 0 ? 0 : 1u << number;
}

void join_append(char *list, const char *separator, const char *name)
{
	size_t used = strlen(list);

	snprintf(list + used, JOIN_SIZE - used, "%s%s", used ? separator : "",
		 name);
}

void join_promises(unsigned promises, const char *separator, char *list)
{
	list[0] = '\0';
	for (unsigned i = 0; i < lab_property_count(); i++)
		if (promises >> i & 1)
			join_append(list, separator, lab_property_name(i));
}

void join_distinctive_promises(unsigned promises, char *list)
{
	unsigned distinctive = promises;

	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		distinctive &= ~bit_of(common[i]);
	for (size_t i = 0; i < sizeof implications / sizeof *implications; i++)
		if (promises & bit_of(implications[i].strong))
			distinctive &= ~bit_of(implications[i].weak);
	join_promises(distinctive, ", ", list);
}

void join_primitives(unsigned primitives, char *list)
{
	const char *name;

	list[0] = '\0';
	for (unsigned i = 0; (name = lab_primitive_name(i)) != NULL; i++)
		if (primitives >> i & 1)
			join_append(list, ", ", name);
}
