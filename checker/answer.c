/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/answer.h"

#include "checker/replay.h"
#include "checker/schedule.h"

#include <stdio.h>
#include <stdlib.h>

void answer_set_question(struct lab_answer *a, const struct question *q,
			 unsigned steps_of)
{
	a->algorithm = q->algorithm->name;
	a->n = q->shape.n;
	a->k = q->shape.k;
	a->sessions = q->shape.sessions;
	memcpy(a->passages, q->passages, sizeof a->passages);
	a->crashes = q->crashes;
	a->deaths = q->deaths;
	a->aborts = q->aborts;
	a->faults = q->faults;
	a->no_clocks = q->no_clocks;
	a->steps_of = steps_of;
	a->passers = question_passers(q);
	memcpy(a->resize, q->resize, sizeof a->resize);
	a->resizes = q->resizes;
	a->asked = q->asked;
}

void answer_set_path(struct lab_answer *a, const struct question *q,
		     const struct choice *path, size_t length, size_t loop)
{
	struct replay r;

	a->schedule = schedule_write(q, a->first, path, length, loop);
	if (!replay_open(&r, q))
		return;
	for (size_t i = 0; i < length; i++) {
		if (loop && i == length - loop)
			replay_loop_begins(&r);
		if (!replay_choice(&r, path[i]))
			break;
	}
	replay_finish(&r, a->why, sizeof a->why);
	a->step = r.step;
	a->steps = r.steps;
	if (!(r.violated & a->first)) {
		a->verdict = LAB_FAILED;
		snprintf(a->message, sizeof a->message,
			 "the counterexample does not replay; this is an error "
			 "in the checker");
	}
	replay_close(&r);
}

static bool replay_tokens(struct replay *r, const struct token *tokens,
			  size_t count, char *error)
{
	for (size_t i = 0; i < count; i++) {
		if (tokens[i].act == '|') {
			replay_loop_begins(r);
			continue;
		}
		for (unsigned j = 0; j < tokens[i].count; j++) {
			struct choice choice;
			char what[LAB_ERROR / 2];

			if (!schedule_choice(&r->world, &tokens[i], &choice,
					     what)) {
				snprintf(error, LAB_ERROR,
					 "the schedule does not fit at step "
					 "%zu: %s",
					 r->steps + 1, what);
				return false;
			}
			if (!replay_choice(r, choice)) {
				snprintf(error, LAB_ERROR,
					 "the schedule does not fit at step "
					 "%zu: process %u is waiting there",
					 r->steps + 1, choice.process);
				return false;
			}
		}
	}
	return true;
}

/* The properties that apply to every algorithm of the kind in the question.  If
 * the schedule names no property, a replay checks these properties and those
 * that the algorithm promises. */
static unsigned default_properties(const struct question *q)
{
	unsigned asked = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | K_FCFS |
			 FIFE;

	if (q->algorithm->kind == KIND_GROUP_EXCLUSION)
		asked = SESSION_EXCLUSION | NO_DEADLOCK | NO_STARVATION | FCFS |
			FIFE | CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING;
	else if (q->algorithm->kind == KIND_OBJECT)
		return 0;
	else if (q->shape.k == 1)
		asked |= FCFS;
	return asked;
}

static void set_replayed(struct lab_answer *a, const struct question *q,
			 const struct replay *r)
{
	a->violated = r->violated & q->asked;
	a->first = a->violated & -a->violated;
	a->undecided = q->asked & ~r->violated;
	a->verdict = a->violated ? LAB_VIOLATED : LAB_BOUNDED;
	a->bound = a->violated ? NULL : "depth";
	a->step = r->step;
	a->steps = r->steps;
	a->states = r->steps + 1;
	a->transitions = a->depth = r->steps;
}

bool answer_replay(struct lab_answer *a, const char *schedule, char *error)
{
	struct lab_question asked;
	struct question q;
	struct token *tokens = NULL;
	struct replay r;
	size_t count;
	bool wakes, ok = false;
	char name[128];

	if (!schedule_read(schedule, &asked, name, sizeof name, &wakes, &tokens,
			   &count, error) ||
	    !question_complete(&asked, &q, error))
		goto free_tokens;
	q.wakes = wakes;
	if (wakes)
		q.asked = asked.properties & PROMPT_WAKE ? PROMPT_WAKE
							 : NO_LOST_WAKE;
	else if (!asked.properties)
		q.asked |= default_properties(&q);
	answer_set_question(a, &q, asked.steps_of);
	if (!replay_open(&r, &q)) {
		snprintf(error, LAB_ERROR, "not enough memory");
		goto free_tokens;
	}
	ok = replay_tokens(&r, tokens, count, error);
	if (ok) {
		replay_finish(&r, a->why, sizeof a->why);
		set_replayed(a, &q, &r);
		a->schedule = strdup(schedule);
	} else {
		free(r.step);
	}
	replay_close(&r);
free_tokens:
	free(tokens);
	return ok;
}
