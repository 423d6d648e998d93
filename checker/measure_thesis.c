/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/measure_thesis.h"

#include "checker/thesis.h"

#include <stdio.h>
#include <string.h>

static const char EXIT_RUN[] = "danek-3.1", BATCHES_RUN[] = "danek-5.1";

bool measure_is_of_thesis(const char *adversary)
{
	return adversary && (strcmp(adversary, EXIT_RUN) == 0 ||
			     strcmp(adversary, BATCHES_RUN) == 0);
}

static bool measure_exit(const struct question *q, struct lab_row *row)
{
	struct exit_cost cost;
	bool ok = thesis_exit(&cost);

	row->worst = cost.remote;
	row->worst_outside = cost.outside;
	row->has_worst = true;
	row->has_outside = q->algorithm->component != NULL;
	row->has_bound = row->has_bound_outside = false;
	row->bound_text = "of leaving; n-1 at least, if all wait locally in DSM";
	row->passages = 1;
	snprintf(row->waits_on, sizeof row->waits_on, "%s", cost.waits_on);
	snprintf(row->note, sizeof row->note,
		 "n-1 is %u; outside A %ju%s%s; then each enters alone%s in "
		 "at most %ju steps%s",
		 q->shape.n - 1, (uintmax_t)cost.outside,
		 cost.waits_on[0] ? "; not local: waits on " : "",
		 cost.waits_on, cost.stuck ? ", but not all," : "",
		 (uintmax_t)cost.alone,
		 cost.entered_early ? "; TWO SESSIONS WERE INSIDE" : "");
	return ok;
}

static bool measure_batches(struct lab_row *row)
{
	struct batches b;
	bool ok = thesis_batches(&b);

	row->has_together = true;
	row->together = b.largest;
	row->has_bound = row->has_bound_outside = false;
	row->bound_text = "inside together at most";
	snprintf(row->note, sizeof row->note,
		 "%u of the session's %u inside together; one after the "
		 "other %s%s", b.largest, row->n - 1, b.list,
		 b.stuck ? ", then nobody moves" : "");
	return ok;
}

bool measure_thesis(const struct question *q, const char *run,
		    struct lab_row *row)
{
	bool ok = crowd_open(q) &&
		  (strcmp(run, EXIT_RUN) == 0 ? measure_exit(q, row)
					      : measure_batches(row));

	crowd_close();
	row->method = "adversary";
	return ok;
}
