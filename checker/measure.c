/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a passage costs at worst: exhaustively where the instance is small,
 * one tracked process after the other; otherwise the worst that adversaries
 * bring about.
 */
#include "checker/adversary.h"
#include "checker/ask.h"
#include "checker/clock.h"
#include "checker/measure_thesis.h"
#include "checker/run.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	SMALL_N = 4,
	EXHAUSTIVE_PASSAGES = 2,
	DEFAULT_SECONDS = 10,
	MOST_BYTES = 256 << 20, /* of words; what is known of each takes more */
	MOST_N = 4096
};

#define REFUSE(...) (snprintf(error, LAB_ERROR, __VA_ARGS__), false)

static bool fits(const struct question *q, struct lab_row *row, char *error)
{
	size_t bytes = q->algorithm->words(&q->shape) * sizeof(uint64_t);

	row->too_large = bytes > MOST_BYTES;
	if (row->too_large)
		return REFUSE("%s with n=%u needs %zu MiB of words; %d are "
			      "allowed: take a smaller n",
			      q->algorithm->name, q->shape.n, bytes >> 20,
			      MOST_BYTES >> 20);
	return true;
}

static bool ask_measure(const struct lab_measure *m, struct question *q,
			struct lab_row *row, char *error)
{
	memset(q, 0, sizeof *q);
	q->algorithm = ask_algorithm(m->algorithm, error);
	if (!q->algorithm ||
	    !ask_shape(q->algorithm, m->n, m->k, m->sessions, &q->shape, error))
		return false;
	if (q->shape.n > MOST_N)
		return REFUSE("n is at most %d here", MOST_N);
	if (m->contention < 0 || (unsigned)m->contention > q->shape.n)
		return REFUSE("--contention is from 1 to n, %u", q->shape.n);
	if (measure_is_of_thesis(m->adversary)) {
		if (q->algorithm->kind != KIND_GROUP_EXCLUSION)
			return REFUSE("%s is a run of group exclusions; %s has "
				      "no sessions",
				      m->adversary, q->algorithm->name);
		if (q->shape.sessions < 2)
			return REFUSE("%s needs two sessions", m->adversary);
		if (strcmp(m->adversary, "impatient") == 0 &&
		    (q->shape.n < 3 || !q->algorithm->abort))
			return REFUSE("impatient needs three processes that "
				      "can give up");
	} else if (m->adversary && adversary_number(m->adversary) < 0) {
		return REFUSE(
			"unknown adversary '%s'; there are %s, danek-3.1, "
			"danek-5.1 and impatient",
			m->adversary, adversary_names());
	}
	if (m->aborts && !q->algorithm->abort)
		return REFUSE("--aborts: %s cannot give up",
			      q->algorithm->name);
	q->tracked = -1;
	q->cost = m->model == LAB_CC ? COST_CC : COST_DSM;
	q->smart_cache = m->smart_cache;
	q->contention = (unsigned)m->contention;
	return fits(q, row, error);
}

/* One search in which p's copies and costs are part of the state. */
static bool search_tracked(struct question *q, unsigned p, double until,
			   size_t memory, struct lab_row *row)
{
	struct run r = { .kind = RUN_SEARCH,
			 .question = q,
			 .memory = memory,
			 .deadline = until };
	bool complete;

	q->tracked = (int)p;
	r.control = control_open();
	if (!r.control)
		return false;
	complete = run_start(&r, 2);
	while (complete && run_wait(&r, 1))
		;
	complete &= control_get(&r.control->stop) == STOP_NOT;
	row->states += control_states(r.control);
	for (unsigned i = 0; i < MAX_WORKERS; i++) {
		const struct tally *t = &r.control->tally[i];

		if (t->remote > row->worst)
			row->worst = t->remote;
		if (t->remote_wait) {
			sim_open(q->algorithm, &q->shape, -1);
			sim_word_name((size_t)t->remote_wait - 1, row->waits_on,
				      sizeof row->waits_on);
			sim_close();
		}
	}
	run_end(&r);
	control_close(r.control);
	return complete;
}

/*
 * Two passages each, or one, whichever ends in time: the count of a passage
 * depends on what the last one left in the cache and in the words.
 */
static bool exhaustive(const struct question *q, double seconds, size_t memory,
		       struct lab_row *row)
{
	double until = clock_now() + seconds;
	struct question each = *q;

	for (unsigned passages = EXHAUSTIVE_PASSAGES; passages; passages--) {
		double limit = passages > 1 ? until - seconds / 3 : until;
		bool complete = true;

		for (unsigned p = 0; p < q->shape.n; p++)
			each.passages[p] = passages;
		for (unsigned p = 0; p < q->shape.n && complete; p++)
			complete = search_tracked(&each, p, limit, memory, row);
		if (complete) {
			snprintf(row->note, sizeof row->note,
				 "all schedules of %u passage%s each, and "
				 "adversaries beyond",
				 passages, passages > 1 ? "s" : "");
			return true;
		}
	}
	return false;
}

static bool run_adversaries(const struct lab_measure *m, double seconds,
			    struct lab_row *row, struct crowd_result *result)
{
	int only = m->adversary ? adversary_number(m->adversary) : -1;
	struct budget budget = { only >= 0 ? seconds : seconds / ADVERSARIES,
				 m->steps, m->aborts };

	for (int i = 0; i < ADVERSARIES; i++) {
		if (only >= 0 && i != only)
			continue;
		if (!adversary_run(i, row->contention, m->seed + (uint64_t)i,
				   budget, result))
			return false;
		/* What adversaries bring about says nothing of the mean. */
		if (result->passages && (i == ADVERSARY_RANDOM || only >= 0)) {
			row->has_mean = true;
			row->mean = (double)result->sum /
				    (double)result->passages;
		}
	}
	row->method = only == ADVERSARY_RANDOM ? "random" : "adversary";
	return true;
}

static bool with_adversaries(const struct lab_measure *m,
			     const struct question *q, double seconds,
			     struct lab_row *row, char *error)
{
	struct crowd_result result = { 0 };
	bool ok = crowd_open(q) && run_adversaries(m, seconds, row, &result);

	crowd_close();
	if (!ok)
		return REFUSE("no memory for %u processes", q->shape.n);
	row->worst = result.worst;
	row->worst_outside = result.outside;
	row->has_outside = q->algorithm->composition.component != NULL;
	row->passages = result.passages;
	snprintf(row->waits_on, sizeof row->waits_on, "%s", result.waits_on);
	return true;
}

static const struct rmr_bound *bound_of(const struct question *q)
{
	const struct algorithm *a = q->algorithm;

	if (q->cost == COST_DSM)
		return &a->bounds.rmr_dsm;
	return q->smart_cache && a->bounds.rmr_cc_smart.text
		       ? &a->bounds.rmr_cc_smart
		       : &a->bounds.rmr_cc;
}

static const struct rmr_bound *outside_bound_of(const struct question *q)
{
	const struct algorithm *a = q->algorithm;

	if (q->cost == COST_DSM)
		return &a->composition.outside_dsm;
	return q->smart_cache && a->composition.outside_cc_smart.text
		       ? &a->composition.outside_cc_smart
		       : &a->composition.outside_cc;
}

static void describe(const struct question *q, struct lab_row *row)
{
	const struct rmr_bound *bound = bound_of(q);
	const struct rmr_bound *outside = outside_bound_of(q);

	row->algorithm = q->algorithm->name;
	row->n = q->shape.n;
	row->k = q->shape.k;
	row->contention = q->contention ? q->contention : q->shape.n;
	row->smart_cache = q->smart_cache;
	row->bound_text = bound->text;
	row->has_bound = bound->most != NULL;
	if (bound->most)
		row->bound = bound->most(&q->shape, row->contention);
	row->bound_outside_text = outside->text;
	row->has_bound_outside = outside->most != NULL;
	if (outside->most)
		row->bound_outside = outside->most(&q->shape, row->contention);
}

bool lab_measure(const struct lab_measure *m, struct lab_row *row, char *error,
		 bool *usage)
{
	struct question q;
	double seconds = m->seconds > 0 ? m->seconds : DEFAULT_SECONDS;
	size_t memory = m->memory ? m->memory : (size_t)4 << 30;

	memset(row, 0, sizeof *row);
	*usage = true;
	if (!ask_measure(m, &q, row, error))
		return false;
	*usage = false;
	describe(&q, row);
	if (measure_is_of_thesis(m->adversary))
		return measure_thesis(&q, m->adversary, row) ||
		       REFUSE("no memory for %u processes", q.shape.n);
	row->aborts = m->aborts;
	if (m->aborts)
		row->has_bound = row->has_bound_outside = false;
	if (m->adversary || m->steps || m->aborts || q.shape.n > SMALL_N) {
		if (!with_adversaries(m, &q, seconds, row, error))
			return false;
	} else {
		/* Briefly, for the mean; the worst is searched for. */
		if (!with_adversaries(m, &q, seconds / 10, row, error))
			return false;
		if (!row->waits_on[0] &&
		    exhaustive(&q, seconds * 9 / 10, memory, row))
			row->method = "exhaustive";
	}
	row->has_worst = !row->waits_on[0] && (row->passages || row->states);
	row->has_mean &= row->has_worst;
	return true;
}
