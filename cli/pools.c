/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost pools: the names of all pools. */
#include "cli/at.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/options.h"
#include "cli/pool_list.h"

#include <stdio.h>

int command_pools(int argc, char **argv)
{
	static const char *const operands[] = { NULL };
	const char *at = NULL, *address;
	struct setting settings[] = {
		{ "at", SETTING_TEXT, &at, 0, 0, NULL },
	};
	char **names;
	int count, code;

	if (!options_read_operands(argc, argv, settings, 1, operands, &code))
		return code;
	code = at_choose("pools", at, NULL, &address);
	if (code)
		return code;
	if (address)
		return elsewhere_pools(argv, address);
	count = pool_list("pools", &names);
	if (count < 0)
		return -count;
	for (int i = 0; i < count; i++)
		printf("%s\n", names[i]);
	pool_list_free(names);
	return 0;
}
