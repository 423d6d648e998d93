/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost status: who is inside, and who waits. */
#include "cli/status.h"

#include "cli/command.h"
#include "cli/old_place.h"
#include "cli/options.h"
#include "cli/plain.h"

#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_head(FILE *to, const char *name, const struct pool_view *view)
{
	const struct atmost_totals *t = &view->totals;

	fprintf(to, "%s: ", name);
	if (t->k)
		fprintf(to, "k = %u, ", t->k);
	fprintf(to, "%u inside, %u waiting", t->holders, t->waiters);
	if (t->recovered)
		fprintf(to, ", %ju death%s recovered", (uintmax_t)t->recovered,
			plural(t->recovered));
	if (t->lost)
		fprintf(to, ", %u lost", t->lost);
	fprintf(to, " (%s, %s)\n", pool_kind(view->shape.kind),
		view->shape.algorithm);
}

static void print_seat(FILE *to, const struct atmost_seat *seat, bool group,
		       const char *pool)
{
	char place[16], pid[24] = "unknown";

	if (seat->slot < 0)
		snprintf(place, sizeof place, "wait %u", seat->position);
	else if (group)
		snprintf(place, sizeof place, "inside");
	else
		snprintf(place, sizeof place, "slot %d", seat->slot);
	if (seat->pid)
		snprintf(pid, sizeof pid, "%jd", (intmax_t)seat->pid);
	fprintf(to, "  %-10s %8s %8s  ", place, pid,
		pool_age(seat->since).text);
	plain_print(to, seat->command);
	if (seat->label[0]) {
		fputs("  [", to);
		plain_print(to, seat->label);
		fputc(']', to);
	}
	fputc('\n', to);
	if (seat->slot >= 0 && seat->life != ATMOST_LIFE_CERTAIN)
		fprintf(to, "             %s\n", pool_doubt(seat, pool).text);
}

static int print_pool(FILE *to, const char *name, bool alone)
{
	struct pool_view view;
	struct atmost *pool;
	int error = atmost_open(&pool, name, NULL);

	if (!error) {
		error = pool_look(pool, &view);
		if (error)
			atmost_close(pool);
	}
	/* Removed since it was listed. */
	if (error == ATMOST_ENOTFOUND && !alone)
		return 0;
	if (error && !alone) {
		fprintf(to, "%s: ", name);
		plain_print(to, atmost_detail());
		fputc('\n', to);
		return POOL_DAMAGED;
	}
	if (error)
		return pool_complain("status", name, error);
	print_head(to, name, &view);
	for (unsigned i = 0; i < view.count; i++)
		print_seat(to, &view.seats[i], view.shape.kind == ATMOST_GROUP,
			   name);
	pool_view_free(&view);
	atmost_close(pool);
	return 0;
}

int status_table(FILE *to, const char *pool)
{
	char **names;
	int count, code = 0;

	if (pool)
		return print_pool(to, pool, true);
	count = pool_list("status", &names);
	if (count < 0)
		return -count;
	if (count == 0)
		fprintf(to, "there are no pools\n");
	for (int i = 0; i < count; i++) {
		int one = print_pool(to, names[i], false);

		code = one ? one : code;
	}
	pool_list_free(names);
	return code;
}

int command_status(int argc, char **argv)
{
	bool json = false, watch = false;
	struct setting settings[] = {
		{ "json", SETTING_FLAG, &json, 0, 0, NULL },
		{ "watch", SETTING_FLAG, &watch, 0, 0, NULL },
	};
	const char *pool;
	int code;

	if (!options_read(argc, argv, settings, 2, &code))
		return code;
	if (argc - optind > 1)
		return usage_error("status", "'%s' is one too many",
				   argv[optind + 1]);
	if (json && watch)
		return usage_error("status", "--json and --watch exclude each "
					     "other");
	pool = optind < argc ? argv[optind] : NULL;
	if (pool)
		old_place_warn("status", pool);
	if (watch)
		return status_watch(pool);
	return json ? status_json(pool) : status_table(stdout, pool);
}
