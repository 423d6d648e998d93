/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost resize: changes k of a pool, and its slot names. */
#include "cli/at.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/k_value.h"
#include "cli/old_directory.h"
#include "cli/options.h"
#include "cli/pool.h"
#include "cli/pool_make.h"
#include "cli/slot_names.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called if the pool has no room for this k, gets other slot names, or needs
 * another algorithm.  The pool must then be replaced, which is possible only if
 * no process uses it. */
static int remake(struct atmost *pool, const struct atmost_shape *there,
		  const struct pool_request *request)
{
	int error = pool_remake(pool, there, request);

	if (error != ATMOST_EBUSY)
		return error ? pool_complain("resize", request->name, error)
			     : 0;
	fprintf(stderr, "atmost resize: pool %s is in use, and ",
		request->name);
	if (request->names)
		fprintf(stderr, "its slot names cannot change now");
	else if (there->kind == ATMOST_GROUP)
		fprintf(stderr, "its algorithm, %s, has no limit",
			there->algorithm);
	else
		fprintf(stderr, "it has room for a k up to %u only",
			there->k_max);
	fprintf(stderr,
		"; run 'atmost resize' again when no command uses the pool, or "
		"use another pool\n");
	return POOL_NOT_NOW;
}

/* The algorithm of the group pool has no limit, so the pool needs another one.
 * An algorithm that a user chose is not replaced. */
static int limit_group(struct atmost *pool, const struct atmost_shape *there,
		       const struct pool_request *request)
{
	struct atmost_shape now;
	int error, code;

	if (!pool_has_default_algorithm(there))
		return usage_error("resize",
				   "pool %s uses the algorithm %s, which has "
				   "no limit; use another pool",
				   request->name, there->algorithm);
	if (request->k > POOL_GROUP_MEMBERS)
		return usage_error("resize",
				   "K is %u, but in a group pool it must be at "
				   "most %u",
				   request->k, POOL_GROUP_MEMBERS);
	code = remake(pool, there, request);
	if (code)
		return code;
	error = atmost_open(&pool, request->name, NULL);
	if (error)
		return pool_complain("resize", request->name, error);
	error = atmost_inspect(pool, &now);
	if (!error && strcmp(now.algorithm, there->algorithm) != 0)
		fprintf(stderr,
			"atmost resize: pool %s has a limit now, so its "
			"algorithm is %s, not %s\n",
			request->name, now.algorithm, there->algorithm);
	atmost_close(pool);
	return error ? pool_complain("resize", request->name, error) : 0;
}

static int check_names(const struct pool_request *request)
{
	const unsigned count = slot_names_count(request->names);
	size_t length;

	if (!count)
		return usage_error("resize",
				   "one of the slot names in '%s' is empty",
				   request->names);
	if (slot_names_twice(request->names, &length))
		return usage_error("resize",
				   "two slots have the name '%.*s': each slot "
				   "needs a name of its own",
				   (int)length,
				   slot_names_twice(request->names, &length));
	if (request->k > count)
		return usage_error("resize",
				   "K is %u, but there are %u slot names",
				   request->k, count);
	return 0;
}

static int resize(struct atmost *pool, const struct pool_request *request)
{
	const char *name = request->name;
	struct atmost_shape there;
	int error = atmost_inspect(pool, &there);
	unsigned count;

	if (error)
		return pool_complain("resize", name, error);
	if (request->names && there.kind != ATMOST_ASSIGNMENT)
		return usage_error("resize",
				   "the slots of pool %s have no names: leave "
				   "out --names",
				   name);
	if (request->names &&
	    (!there.names || !slot_names_are_same(there.names, request->names)))
		return remake(pool, &there, request);
	count = there.names ? slot_names_count(there.names) : 0;
	if (count && request->k > count)
		return usage_error("resize",
				   "pool %s has only %u slot names: give %u "
				   "names with --names",
				   name, count, request->k);
	if (request->k > there.k_max && there.kind == ATMOST_ASSIGNMENT &&
	    request->k <= K_VALUE_MOST)
		return remake(pool, &there, request);
	if (there.kind == ATMOST_GROUP && !there.k && !request->k)
		return 0;
	error = atmost_resize(pool, request->k);
	if (error == ATMOST_ENOTRESIZABLE && there.kind == ATMOST_GROUP)
		return limit_group(pool, &there, request);
	return error ? pool_complain("resize", name, error) : 0;
}

int command_resize(int argc, char **argv)
{
	static const char *const operands[] = { "POOL", "K", NULL };
	struct pool_request request = { .k = 0 };
	const char *at = NULL, *address;
	struct setting settings[] = {
		{ "names", SETTING_TEXT, &request.names, 0, 0, NULL },
		{ "slots", SETTING_ALIAS, &settings[0], 0, 0, NULL },
		{ "at", SETTING_TEXT, &at, 0, 0, NULL },
	};
	struct atmost *pool;
	const char *number;
	unsigned long k;
	char *end;
	int error, code;

	if (!options_read_operands(argc, argv, settings, 3, operands, &code))
		return code;
	request.name = argv[optind];
	number = argv[optind + 1];
	k = strtoul(number, &end, 10);
	if (*end || number[0] < '0' || number[0] > '9' || k > 65535)
		return usage_error("resize",
				   "K must be 1 or more, or 0 (no limit) in a "
				   "group pool; it is '%s'",
				   number);
	request.k = (unsigned)k;
	if (request.names) {
		code = check_names(&request);
		if (code)
			return code;
	}
	code = at_choose("resize", at, request.name, &address);
	if (code)
		return code;
	if (address)
		return elsewhere_resize(argv, address, &request);
	old_directory_warn("resize", request.name);
	error = atmost_open(&pool, request.name, NULL);
	if (error)
		return pool_complain("resize", request.name, error);
	code = resize(pool, &request);
	atmost_close(pool);
	return code;
}
