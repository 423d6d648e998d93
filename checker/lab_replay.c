/* SPDX-License-Identifier: BSD-2-Clause */
/* A schedule given as text, replayed and judged like the end of a check. */
#include "checker/ask.h"
#include "checker/check.h"
#include "checker/replay.h"

#include <stdio.h>
#include <stdlib.h>

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

/* A replay asks for whatever the algorithm has a meaning for. */
static unsigned safe_to_ask(const struct question *q)
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

struct lab_check *lab_replay(const char *schedule, char *error)
{
	struct lab_check *c = calloc(1, sizeof *c);
	struct token *tokens = NULL;
	struct replay r;
	size_t count;
	bool wakes;
	char name[128];

	if (!c ||
	    !schedule_read(schedule, &c->asked, name, sizeof name, &wakes,
			   &tokens, &count, error) ||
	    !ask(&c->asked, &c->question, error))
		goto refuse;
	c->question.wakes = wakes;
	if (wakes)
		c->question.asked = NO_LOST_WAKE;
	else if (!c->asked.properties)
		c->question.asked |= safe_to_ask(&c->question);
	check_fill_answer(c);
	if (!replay_open(&r, &c->question)) {
		snprintf(error, LAB_ERROR, "no memory");
		goto refuse;
	}
	if (!replay_tokens(&r, tokens, count, error)) {
		free(r.step);
		replay_close(&r);
		goto refuse;
	}
	replay_finish(&r, c->answer.why, sizeof c->answer.why);
	c->answer.violated = r.violated & c->question.asked;
	c->answer.first = c->answer.violated & -c->answer.violated;
	c->answer.undecided = c->question.asked & ~r.violated;
	c->answer.verdict = c->answer.violated ? LAB_VIOLATED : LAB_BOUNDED;
	c->answer.bound = c->answer.violated ? NULL : "depth";
	c->answer.step = r.step;
	c->answer.steps = r.steps;
	c->answer.states = r.steps + 1;
	c->answer.transitions = c->answer.depth = r.steps;
	c->answer.schedule = strdup(schedule);
	c->stage = STAGE_DONE;
	c->concluded = true;
	replay_close(&r);
	free(tokens);
	return c;
refuse:
	free(tokens);
	free(c);
	return NULL;
}
