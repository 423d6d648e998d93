/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost COMMAND ...: find the command and run it. */
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/pool.h"
#include "cli/print.h"

#include <atmost/atmost.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *program = "atmost";

const struct command commands[] = {
	{ "run", command_run, POOL_USAGE, true },
	{ "status", command_status, POOL_USAGE, false },
	{ "pools", command_pools, POOL_USAGE, false },
	{ "resize", command_resize, POOL_USAGE, false },
	{ "repair", command_repair, POOL_USAGE, false },
	{ "remove", command_remove, POOL_USAGE, false },
	{ "check", command_check, EXIT_USAGE, false },
	{ "rmr", command_rmr, EXIT_USAGE, false },
	{ "trace", command_trace, EXIT_USAGE, false },
	{ "algorithms", command_algorithms, EXIT_USAGE, false },
	{ "bench", command_bench, EXIT_USAGE, false },
	{ "help", command_help, EXIT_USAGE, false },
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

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < command_count; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int command_usage_exit(const char *name)
{
	const struct command *c = find(name);

	return c ? c->usage : EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	const struct command *command;
	const char *name = argv[1];

	if (strcmp(name, "--version") == 0) {
		printf("atmost %s\n", atmost_version());
		return EXIT_FINE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	command = find(name);
	if (command)
		return command->run(argc - 1, argv + 1);
	if (name[0] == '-') {
		fprintf(stderr,
			"atmost: unknown option '%s'; a command comes "
			"first\ntry 'atmost help'\n",
			name);
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
	const struct command *command = argc > 1 ? find(argv[1]) : NULL;

	if (command && command->lends_streams)
		return command->run(argc - 1, argv + 1);
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
