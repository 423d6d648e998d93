/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost pools, resize, repair, remove: what is done to pools. */
#include "cli/command.h"
#include "cli/old_place.h"
#include "cli/options.h"
#include "cli/pool.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The operands, exactly so many; false: return *code. */
static bool read_operands(int argc, char **argv, struct setting *settings,
			  size_t count, int wanted, int *code)
{
	if (!options_read(argc, argv, settings, count, code))
		return false;
	if (argc - optind < wanted)
		*code = usage_error(argv[0],
				    optind < argc ? "which k?" : "which pool?");
	else if (argc - optind > wanted)
		*code = usage_error(argv[0], "'%s' is one too many",
				    argv[optind + wanted]);
	else
		return true;
	return false;
}

int command_pools(int argc, char **argv)
{
	char **names;
	int count, code;

	if (!read_operands(argc, argv, NULL, 0, 0, &code))
		return code;
	count = pool_list("pools", &names);
	if (count < 0)
		return -count;
	for (int i = 0; i < count; i++)
		printf("%s\n", names[i]);
	pool_list_free(names);
	return 0;
}

int command_resize(int argc, char **argv)
{
	struct atmost *pool;
	const char *name;
	unsigned long k;
	char *end;
	int error, code;

	if (!read_operands(argc, argv, NULL, 0, 2, &code))
		return code;
	name = argv[optind];
	k = strtoul(argv[optind + 1], &end, 10);
	if (*end || argv[optind + 1][0] < '0' || argv[optind + 1][0] > '9' ||
	    k > 65535)
		return usage_error("resize",
				   "k is a number of 1 and more, or 0, "
				   "no limit, not '%s'",
				   argv[optind + 1]);
	old_place_warn("resize", name);
	error = atmost_open(&pool, name, NULL);
	if (!error)
		error = atmost_resize(pool, (unsigned)k);
	return error ? pool_complain("resize", name, error) : 0;
}

/* Who has not its function cannot end what the dead were at. */
static int refuse_object(struct atmost *pool, const char *name)
{
	struct atmost_shape shape;
	int error = atmost_inspect(pool, &shape);

	if (error)
		return pool_complain("repair", name, error);
	if (shape.kind != ATMOST_OBJECT)
		return 0;
	return usage_error("repair",
			   "%s is a shared object: the programs that "
			   "use it recover its dead, when they join "
			   "it or wait for it",
			   name);
}

/* Holders that nobody here can decide about, and how to free their slots. */
static int print_doubts(struct atmost *pool, const char *name)
{
	struct pool_view view;
	int error = pool_look(pool, &view);

	if (error)
		return error;
	for (unsigned i = 0; i < view.count; i++)
		if (view.seats[i].slot >= 0 &&
		    view.seats[i].life != ATMOST_LIFE_CERTAIN)
			printf("slot %d, %s: %s\n", view.seats[i].slot,
			       view.seats[i].command,
			       pool_doubt(&view.seats[i], name).text);
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
	printf("%u inside, %u waiting, %ju deaths recovered ever\n", t.holders,
	       t.waiters, (uintmax_t)t.recovered);
	if (t.lost)
		printf("%u dead member%s cannot be recovered by the "
		       "algorithm: their slots are lost until the pool is "
		       "removed\n",
		       t.lost, t.lost == 1 ? "" : "s");
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
	uint64_t slot = 0;
	struct setting settings[] = {
		{ "free", SETTING_NUMBER, &slot, 0, 65534, NULL },
	};
	struct atmost *pool;
	const char *name;
	int error, code;

	if (!read_operands(argc, argv, settings, 1, 1, &code))
		return code;
	name = argv[optind];
	old_place_warn("repair", name);
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

/* What remains after the name is gone. */
static void tell_breakage(const char *name, const struct atmost_totals *t)
{
	fprintf(stderr,
		"atmost remove: %u inside and %u waiting go on with "
		"the old pool; whoever asks for %s now gets a new one, "
		"and does not wait for them\n",
		t->holders, t->waiters, name);
}

static int remove_it(const char *name, bool force)
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
			"atmost remove: %s is in use: %u inside, %u "
			"waiting; --force removes it all the same\n",
			name, t.holders, t.waiters);
		return POOL_NOT_NOW;
	}
	if (error)
		return pool_complain("remove", name, error);
	if (t.members)
		tell_breakage(name, &t);
	return 0;
}

int command_remove(int argc, char **argv)
{
	bool force = false;
	struct setting settings[] = {
		{ "force", SETTING_FLAG, &force, 0, 0, NULL },
	};
	int code;

	if (!read_operands(argc, argv, settings, 1, 1, &code))
		return code;
	old_place_warn("remove", argv[optind]);
	return remove_it(argv[optind], force);
}
