/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost COMMAND ...: finds the command and runs it. */
#include "cli/command.h"
#include "cli/print.h"
#include "cli/usage.h"

#include <atmost/atmost.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int unknown_command(const char *name)
{
	const char **names = calloc(command_count + 1, sizeof *names);
	const char *similar = NULL;

	for (size_t i = 0; names && i < command_count; i++)
		names[i] = commands[i].name;
	if (names)
		similar = usage_similar_name(name, names);
	free(names);
	fprintf(stderr, "atmost: unknown command '%s'", name);
	if (similar)
		fprintf(stderr, "; did you mean '%s'?", similar);
	fprintf(stderr, "\ntry 'atmost help'\n");
	return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	const struct command *command;
	const char *name = argv[1];

	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		printf("atmost %s\n", atmost_version());
		return EXIT_FINE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	command = command_find(name);
	if (command)
		return command->run(argc - 1, argv + 1);
	if (name[0] == '-') {
		fprintf(stderr,
			"atmost: unknown option '%s'; the command must come "
			"first\ntry 'atmost help'\n",
			name);
		return EXIT_USAGE;
	}
	return unknown_command(name);
}

/* Opens /dev/null in place of a closed stdin or stderr.  Otherwise the next
 * file that this process opens would get the number of the closed stream, and
 * messages for stderr would go into that file.  False: stdout is closed, or
 * /dev/null cannot be opened. */
static bool open_streams(void)
{
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return false;
	/* open uses the lowest free number, which is fd. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;

	if (command && command->lends_streams)
		return command->run(argc - 1, argv + 1);
	if (!open_streams()) {
		fprintf(stderr, "atmost: standard output is closed\n");
		return EXIT_INTERNAL;
	}
	if (argc > 0)
		program = argv[0];
	if (argc < 2) {
		fprintf(stderr, "usage: atmost COMMAND ...; the commands are");
		for (size_t i = 0; i < command_count; i++)
			fprintf(stderr, " %s", commands[i].name);
		fprintf(stderr, "\ntry 'atmost help'\n");
		return EXIT_USAGE;
	}
	return print_finish(dispatch(argc, argv));
}
