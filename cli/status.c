/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost status: shows the running and waiting commands of pools. */
#include "cli/at.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/old_directory.h"
#include "cli/options.h"
#include "cli/status_json.h"
#include "cli/status_table.h"
#include "cli/status_watch.h"
#include "cli/usage.h"

#include <getopt.h>

static int print_here(FILE *to, void *what)
{
	const char *const *pool = what;

	return status_table(to, *pool);
}

int command_status(int argc, char **argv)
{
	bool json = false, watch = false;
	const char *at = NULL;
	struct setting settings[] = {
		{ "json", SETTING_FLAG, &json, 0, 0, NULL },
		{ "watch", SETTING_FLAG, &watch, 0, 0, NULL },
		{ "at", SETTING_TEXT, &at, 0, 0, NULL },
	};
	const char *pool, *address;
	int code;

	if (!options_read(argc, argv, settings, 3, &code))
		return code;
	if (argc - optind > 1)
		return usage_error(
			"status",
			"only one pool at a time: '%s' is one operand too many",
			argv[optind + 1]);
	if (json && watch)
		return usage_error("status", "--json and --watch cannot be "
					     "combined");
	pool = optind < argc ? argv[optind] : NULL;
	code = at_choose("status", at, pool, &address);
	if (code)
		return code;
	if (address)
		return elsewhere_status(argv, address, pool, json, watch);
	if (pool)
		old_directory_warn("status", pool);
	if (watch)
		return status_watch(print_here, &pool, pool != NULL);
	return json ? status_json(pool) : status_table(stdout, pool);
}
