/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/command.h"

#include "cli/pool.h"

#include <string.h>

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

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < command_count; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}
