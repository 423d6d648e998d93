/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of `atmost`, and the exit codes of the laboratory's commands. */
#ifndef ATMOST_CLI_COMMAND_H
#define ATMOST_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum exit_code {
	EXIT_FINE = 0,     /* the work is done, and no violation found */
	EXIT_VIOLATED = 1, /* a property or a bound is violated */
	EXIT_USAGE = 2,
	EXIT_BOUNDED = 3, /* the search ended without a verdict */
	EXIT_INTERNAL = 4
};

/* argv[0] is the name of the command.  Each function returns an exit code. */
int command_run(int argc, char **argv);
int command_status(int argc, char **argv);
int command_pools(int argc, char **argv);
int command_remove(int argc, char **argv);
int command_resize(int argc, char **argv);
int command_repair(int argc, char **argv);
int command_check(int argc, char **argv);
int command_rmr(int argc, char **argv);
int command_trace(int argc, char **argv);
int command_algorithms(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_help(int argc, char **argv);

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	int usage_exit; /* exit code for wrong usage */
	/*
	 * The command starts another program, which inherits the standard
	 * streams.  The streams may be closed, and atmost must not change them.
	 */
	bool lends_streams;
};

extern const struct command commands[];
extern const size_t command_count;

/* Returns NULL if there is no command of this name. */
const struct command *command_find(const char *name);

/* argv[0] of this process, for output that the user can paste into a shell. */
extern const char *program;

#endif
