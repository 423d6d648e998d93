/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost remove: removes a pool. */
#include "cli/command.h"
#include "cli/old_directory.h"
#include "cli/options.h"
#include "cli/pool.h"

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
			"atmost remove: %s is in use: %u inside, %u waiting; "
			"--force removes it anyway\n",
			name, t.holders, t.waiters);
		return POOL_NOT_NOW;
	}
	if (error)
		return pool_complain("remove", name, error);
	if (t.members)
		warn_about_members(name, &t);
	return 0;
}

int command_remove(int argc, char **argv)
{
	static const char *const operands[] = { "POOL", NULL };
	bool force = false;
	struct setting settings[] = {
		{ "force", SETTING_FLAG, &force, 0, 0, NULL },
	};
	int code;

	if (!options_read_operands(argc, argv, settings, 1, operands, &code))
		return code;
	old_directory_warn("remove", argv[optind]);
	return remove_pool(argv[optind], force);
}
