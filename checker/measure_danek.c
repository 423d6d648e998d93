/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/measure_danek.h"

#include "checker/danek_runs.h"

#include <stdio.h>
#include <string.h>

static const char EXIT_RUN[] = "danek-3.1", BATCHES_RUN[] = "danek-5.1",
		  ACCUMULATE_RUN[] = "danek-6.1.3",
		  PATIENCE_RUN[] = "impatient";

bool measure_danek_has(const char *adversary)
{
	return adversary && (strcmp(adversary, EXIT_RUN) == 0 ||
			     strcmp(adversary, BATCHES_RUN) == 0 ||
			     strcmp(adversary, ACCUMULATE_RUN) == 0 ||
			     strcmp(adversary, PATIENCE_RUN) == 0);
}

bool measure_danek_fits(const struct question *q, const char *run, char *error)
{
	if (q->algorithm->kind != KIND_GROUP_EXCLUSION)
		return question_refuse(
			"%s needs group exclusion, and %s has no "
			"sessions",
			run, q->algorithm->name);
	if (q->shape.sessions < 2)
		return question_refuse("%s needs two sessions", run);
	if (strcmp(run, ACCUMULATE_RUN) == 0 && q->shape.n < 3)
		return question_refuse("%s needs three processes", run);
	if (strcmp(run, PATIENCE_RUN) == 0 &&
	    (q->shape.n < 3 || !q->algorithm->abort))
		return question_refuse("impatient needs three processes that "
				       "can give up");
	return true;
}

/* Writes the note of the row. */
static void describe_exit(const struct exit_cost *cost, struct lab_row *row)
{
	char outside[48] = "", steps[48] = "";

	if (row->has_outside)
		snprintf(outside, sizeof outside,
			 "; outside the component: %ju",
			 (uintmax_t)cost->outside);
	if (!cost->stuck)
		snprintf(steps, sizeof steps, " in at most %ju steps",
			 (uintmax_t)cost->alone);
	snprintf(row->note, sizeof row->note,
		 "n-1 is %u%s%s%s; then %s waiter enters alone%s%s", row->n - 1,
		 outside,
		 cost->waits_on[0] ? "; not local: a waiter waits on " : "",
		 cost->waits_on, cost->stuck ? "not every" : "each", steps,
		 cost->entered_early ? "; TWO SESSIONS WERE INSIDE" : "");
}

static bool measure_exit(const struct question *q, struct lab_row *row)
{
	struct exit_cost cost;
	bool ok = danek_runs_exit(&cost);

	row->worst = cost.remote;
	row->worst_outside = cost.outside;
	row->has_worst = true;
	row->has_outside = q->algorithm->composition.component != NULL;
	row->has_bound = row->has_bound_outside = false;
	row->bound_text = "cost of leaving; at least n-1 if all processes wait "
			  "locally in DSM";
	row->passages = 1;
	snprintf(row->waits_on, sizeof row->waits_on, "%s", cost.waits_on);
	describe_exit(&cost, row);
	return ok;
}

static bool measure_batches(struct lab_row *row)
{
	struct batches b;
	bool ok = danek_runs_batches(&b);

	row->has_together = true;
	row->together = b.largest;
	row->has_bound = row->has_bound_outside = false;
	row->bound_text = "inside together at most";
	snprintf(row->note, sizeof row->note,
		 "%u of %u processes of the session inside together; batches: "
		 "%s%s",
		 b.largest, row->n - 1, b.list,
		 b.stuck ? ", then no process moves" : "");
	return ok;
}

/* The waiter does not give up, so the bounds of the algorithm apply. */
static bool measure_accumulate(const struct question *q, struct lab_row *row)
{
	struct accumulated_cost cost;
	bool ok = danek_runs_accumulate(&cost);

	row->worst = cost.remote;
	row->worst_outside = cost.outside;
	row->has_worst = true;
	row->has_outside = q->algorithm->composition.component != NULL;
	row->passages = 1;
	snprintf(row->note, sizeof row->note,
		 "cost of a waiter while %u processes leave%s", row->n - 2,
		 cost.entered ? "; the waiter entered" : "");
	return ok;
}

enum { FEW = 8, MANY = 64 };

static bool measure_patience(const struct question *q, struct lab_row *row)
{
	struct patience_cost few, many;
	bool ok = danek_runs_patience(FEW, &few) &&
		  danek_runs_patience(MANY, &many);

	row->worst = many.remote;
	row->worst_outside = many.outside;
	row->has_worst = true;
	row->has_outside = q->algorithm->composition.component != NULL;
	row->has_bound = row->has_bound_outside = false;
	row->aborts = true;
	row->bound_text =
		"cost of a waiter while another process comes and gives up";
	row->passages = 1;
	snprintf(row->note, sizeof row->note,
		 "%s%ju after %d times, %ju after %d times%s",
		 row->has_outside ? "outside the component: " : "",
		 (uintmax_t)few.outside, FEW, (uintmax_t)many.outside, MANY,
		 many.entered ? "; the waiter entered" : "");
	return ok;
}

static bool measure_run(const struct question *q, const char *run,
			struct lab_row *row)
{
	if (strcmp(run, EXIT_RUN) == 0)
		return measure_exit(q, row);
	if (strcmp(run, ACCUMULATE_RUN) == 0)
		return measure_accumulate(q, row);
	return strcmp(run, BATCHES_RUN) == 0 ? measure_batches(row)
					     : measure_patience(q, row);
}

bool measure_danek(const struct question *q, const char *run,
		   struct lab_row *row)
{
	bool ok = forward_run_open(q) && measure_run(q, run, row);

	forward_run_close();
	row->method = "adversary";
	return ok;
}
