/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost repair: frees the slots of dead members. */
#include "cli/at.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/old_directory.h"
#include "cli/options.h"
#include "cli/pool.h"
#include "cli/pool_view.h"
#include "cli/safe_text.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdio.h>

/* A shared object is refused, because only a program that has the function of
 * its object type can finish the operations of dead members. */
static int refuse_object(struct atmost *pool, const char *name)
{
	struct atmost_shape shape;
	int error = atmost_inspect(pool, &shape);

	if (error)
		return pool_complain("repair", name, error);
	if (shape.kind != ATMOST_OBJECT)
		return 0;
	return usage_error("repair",
			   "%s is a shared object, not a pool: the "
			   "programs that use it recover its dead "
			   "members",
			   name);
}

static void print_doubt(const struct atmost_seat *seat, const char *pool)
{
	printf("slot %d, ", seat->slot);
	safe_text_print(stdout, seat->command);
	printf(": %s\n", pool_view_doubt(seat, pool).text);
}

/* Prints the holders whose life is not certain. */
static int print_doubts(struct atmost *pool, const char *name)
{
	struct pool_view view;
	int error = pool_view_read(pool, &view);

	if (error)
		return error;
	for (unsigned i = 0; i < view.count; i++)
		if (view.seats[i].slot >= 0 &&
		    view.seats[i].life != ATMOST_LIFE_CERTAIN)
			print_doubt(&view.seats[i], name);
	pool_view_free(&view);
	return 0;
}

static int repair(struct atmost *pool, const char *name)
{
	struct atmost_totals t;
	int error = atmost_status(pool, NULL, 0, &t);

	if (error < 0)
		return error;
	if (t.found)
		printf("%s: %u dead member%s recovered\n", name, t.found,
		       t.found == 1 ? "" : "s");
	else
		printf("%s: no dead members found\n", name);
	printf("%u inside, %u waiting, %ju deaths recovered in all\n",
	       t.holders, t.waiters, (uintmax_t)t.recovered);
	if (t.lost)
		printf("%u dead member%s cannot be recovered with the "
		       "algorithm of this pool; 'atmost remove --force %s' "
		       "removes it, and the next command creates a new pool\n",
		       t.lost, t.lost == 1 ? "" : "s", name);
	return print_doubts(pool, name);
}

static int free_slot(struct atmost *pool, const char *name, unsigned slot)
{
	int error = atmost_evict(pool, slot);

	if (!error)
		printf("%s: slot %u is free again\n", name, slot);
	return error;
}

int command_repair(int argc, char **argv)
{
	static const char *const operands[] = { "POOL", NULL };
	uint64_t slot = 0;
	const char *at = NULL, *address;
	struct setting settings[] = {
		{ "free", SETTING_NUMBER, &slot, 0, 65534, NULL },
		{ "at", SETTING_TEXT, &at, 0, 0, NULL },
	};
	struct atmost *pool;
	const char *name;
	int error, code;

	if (!options_read_operands(argc, argv, settings, 2, operands, &code))
		return code;
	name = argv[optind];
	code = at_choose("repair", at, name, &address);
	if (code)
		return code;
	if (address && settings[0].given)
		return usage_error("repair",
				   "--free is for pools of this machine: in "
				   "etcd, a slot becomes free when the lease "
				   "of its holder ends");
	if (address)
		return elsewhere_repair(argv, address, name);
	old_directory_warn("repair", name);
	error = atmost_open(&pool, name, NULL);
	if (!error) {
		code = refuse_object(pool, name);
		if (code)
			return code;
		error = settings[0].given
				? free_slot(pool, name, (unsigned)slot)
				: repair(pool, name);
	}
	return error ? pool_complain("repair", name, error) : 0;
}
