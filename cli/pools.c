/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost pools: the names of all pools. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/pool_list.h"

#include <stdio.h>

int command_pools(int argc, char **argv)
{
	static const char *const operands[] = { NULL };
	char **names;
	int count, code;

	if (!options_read_operands(argc, argv, NULL, 0, operands, &code))
		return code;
	count = pool_list("pools", &names);
	if (count < 0)
		return -count;
	for (int i = 0; i < count; i++)
		printf("%s\n", names[i]);
	pool_list_free(names);
	return 0;
}
