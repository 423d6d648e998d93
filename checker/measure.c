/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the worst cost of a passage.  For a small instance, the checker
 * searches all schedules once for each process and counts the remote references
 * of that process.  For a large instance, adversaries run, and the result is
 * the worst cost that one of them causes.
 */
#include "checker/measure.h"

#include "checker/adversary.h"
#include "checker/clock.h"
#include "checker/measure_danek.h"
#include "checker/task.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	SMALL_N = 4,
	EXHAUSTIVE_PASSAGES = 2,
	DEFAULT_SECONDS = 10,
	MOST_BYTES = 256 << 20, /* for the words, without descriptions */
	MOST_N = 4096
};

static bool fits(const struct question *q, struct lab_row *row, char *error)
{
	size_t bytes = q->algorithm->words(&q->shape) * sizeof(uint64_t);

	row->too_large = bytes > MOST_BYTES;
	if (row->too_large)
		return question_refuse(
			"%s with n=%u needs %zu MiB for its words, and "
			"only %d MiB are allowed: choose a smaller n",
			q->algorithm->name, q->shape.n, bytes >> 20,
			MOST_BYTES >> 20);
	return true;
}

static bool complete_question(const struct lab_measure *m, struct question *q,
			      struct lab_row *row, char *error)
{
	memset(q, 0, sizeof *q);
	q->algorithm = question_algorithm(m->algorithm, error);
	if (!q->algorithm || !question_shape(q->algorithm, m->n, m->k,
					     m->sessions, &q->shape, error))
		return false;
	if (q->algorithm->over_store)
		return question_refuse(
			"%s runs over a store: it makes requests and no remote "
			"references",
			q->algorithm->name);
	if (q->shape.n > MOST_N)
		return question_refuse(
			"n is %u; a measurement takes at most %d", q->shape.n,
			MOST_N);
	if (m->contention < 0 || (unsigned)m->contention > q->shape.n)
		return question_refuse(
			"--contention must be from 1 to n, which is %u",
			q->shape.n);
	if (measure_danek_has(m->adversary)) {
		if (!measure_danek_fits(q, m->adversary, error))
			return false;
	} else if (m->adversary && adversary_number(m->adversary) < 0) {
		return question_refuse(
			"unknown adversary '%s'; known are %s, danek-3.1, "
			"danek-5.1 and impatient",
			m->adversary, adversary_names());
	}
	if (m->aborts && !q->algorithm->abort)
		return question_refuse("--aborts: %s cannot give up",
				       q->algorithm->name);
	q->tracked = -1;
	q->cost = m->model == LAB_CC ? COST_CC : COST_DSM;
	q->smart_cache = m->smart_cache;
	q->contention = (unsigned)m->contention;
	return fits(q, row, error);
}

/* Search all states, with the cached copies of p and its cost as part of the
 * state. */
static bool search_tracked(struct question *q, unsigned p, double until,
			   size_t memory, struct lab_row *row)
{
	struct task t = { .kind = TASK_SEARCH,
			  .question = q,
			  .memory = memory,
			  .deadline = until };
	bool complete;

	q->tracked = (int)p;
	t.workers = workers_open();
	if (!t.workers)
		return false;
	complete = task_start(&t, 2);
	while (complete && task_wait(&t, 1))
		;
	complete &= workers_get(&t.workers->stop) == STOP_NOT;
	row->states += workers_states(t.workers);
	for (unsigned i = 0; i < MAX_WORKERS; i++) {
		const struct worker_counts *counts = &t.workers->counts[i];

		if (counts->remote > row->worst)
			row->worst = counts->remote;
		if (counts->remote_wait) {
			sim_open(q->algorithm, &q->shape, -1);
			sim_word_name((size_t)counts->remote_wait - 1,
				      row->waits_on, sizeof row->waits_on);
			sim_close();
		}
	}
	task_end(&t);
	workers_close(t.workers);
	return complete;
}

/*
 * Search with two passages per process, because the cost of a passage depends
 * on what the previous passage left in the cache and in the words.  If that
 * search does not end in time, search with one passage per process.
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
				 "all schedules of %u passage%s per process, "
				 "and adversaries for longer runs",
				 passages, passages > 1 ? "s" : "");
			return true;
		}
	}
	return false;
}

static bool run_adversaries(const struct lab_measure *m, double seconds,
			    struct lab_row *row,
			    struct forward_run_result *result)
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
		/* If all adversaries run, only the random one counts for the
		 * mean, because the others cause unusually high costs. */
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
	struct forward_run_result result = { 0 };
	bool ok = forward_run_open(q) &&
		  run_adversaries(m, seconds, row, &result);

	forward_run_close();
	if (!ok)
		return question_refuse("not enough memory for %u processes",
				       q->shape.n);
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
	if (!complete_question(m, &q, row, error))
		return false;
	*usage = false;
	describe(&q, row);
	if (measure_danek_has(m->adversary))
		return measure_danek(&q, m->adversary, row) ||
		       question_refuse("not enough memory for %u processes",
				       q.shape.n);
	row->aborts = m->aborts;
	if (m->aborts)
		row->has_bound = row->has_bound_outside = false;
	if (m->adversary || m->steps || m->aborts || q.shape.n > SMALL_N) {
		if (!with_adversaries(m, &q, seconds, row, error))
			return false;
	} else {
		/* First the adversaries run briefly, for the mean; then a
		 * search finds the worst cost. */
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
