/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/status_table.h"

#include "cli/pool.h"
#include "cli/pool_list.h"
#include "cli/safe_text.h"
#include "cli/seat_line.h"

#include <inttypes.h>
#include <stdbool.h>

static void print_head(FILE *to, const char *name, const struct pool_view *view)
{
	const struct atmost_totals *t = &view->totals;

	fprintf(to, "%s: ", name);
	if (t->k)
		fprintf(to, "k = %u, ", t->k);
	fprintf(to, "%u inside, %u waiting", t->holders, t->waiters);
	if (view->paused)
		fprintf(to, ", paused");
	if (t->recovered)
		fprintf(to, ", %" PRIu64 " death%s recovered", t->recovered,
			t->recovered == 1 ? "" : "s");
	if (t->lost)
		fprintf(to, ", %u lost", t->lost);
	fprintf(to, " (%s, %s)\n", atmost_kind_name(view->shape.kind),
		view->shape.algorithm);
}

static void print_seat(FILE *to, const struct pool_view *view,
		       const struct atmost_seat *seat, const char *pool)
{
	const struct seat_far *far = pool_view_far(view, seat);
	struct doubt doubt;

	seat_line_print(to, view, seat);
	if (far) {
		doubt = pool_view_silence(far);
		if (doubt.text[0])
			fprintf(to, "             %s\n", doubt.text);
	} else if (seat->slot >= 0 && seat->life != ATMOST_LIFE_CERTAIN) {
		fprintf(to, "             %s\n",
			pool_view_doubt(seat, pool).text);
	}
}

void status_table_print(FILE *to, const char *name,
			const struct pool_view *view)
{
	print_head(to, name, view);
	for (unsigned i = 0; i < view->count; i++)
		print_seat(to, view, &view->seats[i], name);
}

static int print_pool(FILE *to, const char *name, bool alone)
{
	struct pool_view view;
	struct atmost *pool;
	int error = atmost_open(&pool, name, NULL);

	if (!error) {
		error = pool_view_read(pool, &view);
		if (error)
			atmost_close(pool);
	}
	/* The pool was removed after pool_list had read its name. */
	if (error == ATMOST_ENOTFOUND && !alone)
		return 0;
	if (error && !alone) {
		fprintf(to, "%s: ", name);
		safe_text_print(to, atmost_detail());
		fputc('\n', to);
		return pool_exit_for(error);
	}
	if (error)
		return pool_complain("status", name, error);
	status_table_print(to, name, &view);
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
