/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost remove: removes pools. */
#include "cli/at.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/old_directory.h"
#include "cli/options.h"
#include "cli/pool.h"
#include "cli/pool_list.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

/* The members of a pool can go on using it after its name is gone. */
static void warn_about_members(const char *name, const struct atmost_totals *t)
{
	fprintf(stderr,
		"atmost remove: %u running and %u waiting commands go on with "
		"the old pool; later commands get a new pool %s and do not "
		"wait for them\n",
		t->holders, t->waiters, name);
}

static int remove_pool(const char *name, bool force)
{
	struct atmost_totals t = { 0 };
	struct atmost *pool;
	int error = atmost_open(&pool, name, NULL);

	if (!error) {
		error = atmost_status(pool, NULL, 0, &t);
		atmost_close(pool);
	}
	if (error < 0 &&
	    (!force || error == ATMOST_ENOTFOUND || error == ATMOST_ENAME))
		return pool_complain("remove", name, error);
	error = force ? atmost_unlink(name) : atmost_unlink_unused(name);
	if (error == ATMOST_EBUSY) {
		fprintf(stderr,
			"atmost remove: pool %s is in use: %u running, %u "
			"waiting commands; --force removes it anyway\n",
			name, t.holders, t.waiters);
		return POOL_NOT_NOW;
	}
	if (error)
		return pool_complain("remove", name, error);
	if (t.members)
		warn_about_members(name, &t);
	return 0;
}

/* Removes all pools that no process has joined, and prints their names.  A pool
 * that cannot be opened stays, and its error is printed. */
static int remove_unused(void)
{
	char **names;
	int count = pool_list("remove", &names), code = 0;

	if (count < 0)
		return -count;
	for (int i = 0; i < count; i++) {
		int error = atmost_unlink_unused(names[i]);

		if (!error)
			printf("%s\n", names[i]);
		else if (error != ATMOST_EBUSY && error != ATMOST_ENOTFOUND)
			code = pool_complain("remove", names[i], error);
	}
	pool_list_free(names);
	return code;
}

/* Checks where the pools are.  All of them are here, or none is: atmost-etcd
 * would begin again with the first one.  Returns 0, or an exit code after an
 * error message. */
static int check_places(const char *at, char **pools, int count)
{
	int elsewhere = 0;

	for (int i = 0; i < count; i++) {
		const char *address;
		int code = at_choose("remove", at, pools[i], &address);

		if (code)
			return code;
		elsewhere += address != NULL;
	}
	if (elsewhere && elsewhere < count)
		return usage_error("remove", "pools of this machine and pools "
					     "in etcd cannot be removed by one "
					     "command");
	return 0;
}

int command_remove(int argc, char **argv)
{
	bool force = false, unused = false;
	const char *at = NULL, *address;
	struct setting settings[] = {
		{ "force", SETTING_FLAG, &force, 0, 0, NULL },
		{ "unused", SETTING_FLAG, &unused, 0, 0, NULL },
		{ "at", SETTING_TEXT, &at, 0, 0, NULL },
	};
	int code, result = 0;

	if (!options_read(argc, argv, settings, 3, &code))
		return code;
	if (unused && (force || optind < argc))
		return usage_error("remove",
				   "--unused removes all pools that "
				   "are not in use: leave out %s",
				   force ? "--force" : argv[optind]);
	if (unused) {
		code = at_choose("remove", at, NULL, &address);
		if (code)
			return code;
		return address ? elsewhere_remove_unused(argv, address)
			       : remove_unused();
	}
	if (optind == argc)
		return usage_error("remove", "POOL is missing");
	code = check_places(at, argv + optind, argc - optind);
	if (code)
		return code;
	for (int i = optind; i < argc; i++) {
		at_choose("remove", at, argv[i], &address);
		if (!address)
			old_directory_warn("remove", argv[i]);
		code = address ? elsewhere_remove(argv, address, argv[i], force)
			       : remove_pool(argv[i], force);
		result = result ? result : code;
	}
	return result;
}
