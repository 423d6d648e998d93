/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost COMMAND ...: find the command and run it. */
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/print.h"

#include <atmost/atmost.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *program = "atmost";

const struct command commands[] = {
	{ "check", command_check },
	{ "rmr", command_rmr },
	{ "trace", command_trace },
	{ "algorithms", command_algorithms },
	{ "bench", command_bench },
	{ "help", command_help },
};
const size_t command_count = sizeof commands / sizeof *commands;

static int unknown(const char *name)
{
	const char *names[sizeof commands / sizeof *commands + 1], *near;

	for (size_t i = 0; i < command_count; i++)
		names[i] = commands[i].name;
	names[command_count] = NULL;
	near = nearest_name(name, names);
	fprintf(stderr, "atmost: unknown command '%s'", name);
	if (near)
		fprintf(stderr, "; is '%s' meant?", near);
	fprintf(stderr, "\ntry 'atmost help'\n");
	return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	const char *name = argv[1];

	if (strcmp(name, "--version") == 0) {
		printf("atmost %s\n", atmost_version());
		return EXIT_FINE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	for (size_t i = 0; i < command_count; i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	if (name[0] == '-') {
		fprintf(stderr, "atmost: unknown option '%s'; a command comes "
				"first\ntry 'atmost help'\n", name);
		return EXIT_USAGE;
	}
	return unknown(name);
}

/* A closed descriptor would be given to the next file that is opened, and the
 * output would go there. */
static bool output_is_open(void)
{
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return false;
	/* The lowest free number is the one just found closed. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	if (!output_is_open()) {
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
