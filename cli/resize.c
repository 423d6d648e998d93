/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost resize: changes k of a pool. */
#include "cli/command.h"
#include "cli/old_directory.h"
#include "cli/options.h"
#include "cli/pool.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdlib.h>

int command_resize(int argc, char **argv)
{
	static const char *const operands[] = { "POOL", "K", NULL };
	struct atmost *pool;
	const char *name, *number;
	unsigned long k;
	char *end;
	int error, code;

	if (!options_read_operands(argc, argv, NULL, 0, operands, &code))
		return code;
	name = argv[optind];
	number = argv[optind + 1];
	k = strtoul(number, &end, 10);
	if (*end || number[0] < '0' || number[0] > '9' || k > 65535)
		return usage_error("resize",
				   "K must be a number: 1 or more, or 0 for no "
				   "limit in a group pool; not '%s'",
				   number);
	old_directory_warn("resize", name);
	error = atmost_open(&pool, name, NULL);
	if (!error)
		error = atmost_resize(pool, (unsigned)k);
	return error ? pool_complain("resize", name, error) : 0;
}
