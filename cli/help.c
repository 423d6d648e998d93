/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost help: a page for each command and each topic. */
#include "cli/help.h"

#include "cli/command.h"
#include "cli/help_pages.h"
#include "cli/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_overview(void)
{
	printf("usage: atmost COMMAND ...\n\n"
	       "Runs at most k commands of a pool at once, in order of "
	       "arrival; a killed command\nfrees its slot.  The laboratory "
	       "checks the algorithms that atmost uses.\n"
	       "\ncommands:\n");
	for (size_t i = 0; help_pages[i].name; i++) {
		if (i == command_count)
			printf("\ntopics:\n");
		if (strcmp(help_pages[i].name, "check") == 0)
			printf("\nlaboratory:\n");
		if (strcmp(help_pages[i].name, "help") == 0)
			printf("\n");
		printf("  %-12s%s\n", help_pages[i].name,
		       help_pages[i].summary);
	}
	printf("\n'atmost help COMMAND' lists the options of a command; "
	       "'atmost --version' prints\nthe version.\n"
	       "\nexamples:\n"
	       "  atmost run -k 2 backup -- rsync -a /home /mnt/backup\n"
	       "  atmost status backup\n"
	       "  atmost check k-ticket -n 3 -k 2\n"
	       "  atmost rmr k-ticket -n 3,4 --model cc\n");
}

static int unknown_page(const char *name, size_t count)
{
	const char **names = calloc(count + 1, sizeof *names);
	const char *similar = NULL;

	for (size_t i = 0; names && i < count; i++)
		names[i] = help_pages[i].name;
	if (names)
		similar = usage_similar_name(name, names);
	free(names);
	fprintf(stderr, "atmost help: there is no page '%s'", name);
	if (similar)
		fprintf(stderr, "; did you mean '%s'?", similar);
	fprintf(stderr, "\ntry 'atmost help'\n");
	return EXIT_USAGE;
}

int help_print(const char *name)
{
	size_t i;

	for (i = 0; help_pages[i].name; i++) {
		if (strcmp(help_pages[i].name, name) == 0) {
			fputs(help_pages[i].text, stdout);
			return EXIT_FINE;
		}
	}
	return unknown_page(name, i);
}

int command_help(int argc, char **argv)
{
	if (argc > 2)
		return usage_error("help",
				   "only one page at a time: "
				   "'%s' is one operand too many",
				   argv[2]);
	if (argc == 2)
		return help_print(argv[1]);
	print_overview();
	return EXIT_FINE;
}
