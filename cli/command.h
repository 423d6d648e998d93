/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of `atmost`, and what their exit codes mean. */
#ifndef ATMOST_CLI_COMMAND_H
#define ATMOST_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum exit_code {
	EXIT_FINE = 0,     /* holds; nothing above a bound; done */
	EXIT_VIOLATED = 1, /* a property, a bound, or k */
	EXIT_USAGE = 2,
	EXIT_BOUNDED = 3, /* neither holds nor violated */
	EXIT_INTERNAL = 4
};

/* argv[0] is the name of the command; each returns an exit code. */
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
	int usage; /* its exit code for that */
	/*
	 * Its standard streams are another program's: it is not minded if they
	 * are closed, and they stay as they are.
	 */
	bool lends_streams;
};

/* All of them, and how many. */
extern const struct command commands[];
extern const size_t command_count;

int command_usage_exit(const char *name);

/* How the user called us: for commands that can be pasted. */
extern const char *program;

/* Print the page of a command or topic; EXIT_USAGE if there is none. */
int help_print(const char *page);

#endif
