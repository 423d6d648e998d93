/* SPDX-License-Identifier: BSD-2-Clause */
/* What a process would do if it ran alone. */
#include "instruction.h"
#include "machine.h"
#include "step.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

/* Whether the pass of p, which began in the state `before`, lets p proceed,
 * whatever torn reads return. */
static bool poll_helps(const struct state *s, unsigned p,
		       const struct state *before, const struct events *so_far)
{
	const struct member *m = &s->member[p];
	bool helps = true;

	if (m->at == AT_POLL)
		return so_far->wrote || so_far->unnamed ||
		       memcmp(m->own, before->member[p].own, sizeof m->own);
	if (m->body != BODY_POLL)
		return true;
	for (unsigned v = 0; helps && v < step_torn_values(s, p); v++) {
		struct state *next = state_copy(s);
		struct events e = *so_far;

		step_make(next, p, v, &e);
		helps = poll_helps(next, p, before, &e);
		free(next);
	}
	return helps;
}

static bool any_helps(const struct state *s, unsigned p)
{
	const struct instruction *i = line(&s->member[p]);

	return holds(i->test, s->word[word_of(p, i->at)], value(s, p, i->a)) ||
	       holds(i->test, s->word[word_of(p, i->second)],
		     value(s, p, i->b));
}

bool machine_pass_helps(const struct state *s, unsigned p, bool slept)
{
	struct state *now;
	struct events e = { 0 };
	bool helps;

	if (s->member[p].at != AT_POLL)
		return any_helps(s, p);
	now = state_copy(s);
	step_begin_pass(now, p, slept, &e);
	helps = poll_helps(now, p, s, &e);
	free(now);
	return helps;
}

bool machine_nap_helps(const struct state *s, unsigned p)
{
	return program.naps && s->member[p].at == AT_POLL &&
	       machine_pass_helps(s, p, true);
}

/* Whether the condition of the await of p holds, whatever a torn read
 * returns. */
static bool await_holds(const struct state *s, unsigned p)
{
	const struct instruction *i = line(&s->member[p]);
	unsigned values = step_torn_values(s, p);
	bool all = true;

	for (unsigned v = 0; v < values; v++)
		all &= holds(i->test,
			     values > 1 ? v : s->word[word_of(p, i->at)],
			     value(s, p, i->a));
	return all;
}

bool machine_would_wake(const struct state *s, unsigned p)
{
	bool would;

	if (!machine_is_between_passes(s, p))
		return await_holds(s, p);
	/* In a run alone, wakes are no steps. */
	machine_wakes = false;
	would = machine_pass_helps(s, p, false);
	machine_wakes = true;
	return would;
}

bool machine_is_waking(const struct state *s, unsigned p)
{
	return s->member[p].at == AT_STEP &&
	       s->member[p].pc < program.code[s->member[p].body].length &&
	       line(&s->member[p])->op == OP_WAKE;
}

bool machine_enters_alone(const struct state *s, unsigned p, unsigned steps)
{
	enum { MOST_PASSES = 1000 }; /* limit for polls that make no step */
	struct state *now = state_copy(s);
	const struct member *m = &now->member[p];
	unsigned passes = 0;
	bool blocked = false;
	/* If a pass without a nap would fail, the first pass follows a nap. */
	bool must_nap = program.naps && machine_is_between_passes(s, p) &&
			!machine_pass_helps(s, p, false);

	while (!blocked && m->phase != PHASE_INSIDE) {
		struct events e = { 0 };

		if (machine_is_between_passes(now, p)) {
			bool again = watch_may_differ(now, p) && !must_nap;
			bool nap = program.naps && m->at == AT_POLL &&
				   !m->slept;

			blocked = !(again || nap) || passes++ == MOST_PASSES;
			if (!blocked)
				step_begin_pass(now, p, !again, &e);
			must_nap = false;
		} else if (steps-- == 0 || !step_make(now, p, 0, &e)) {
			blocked = true;
		}
	}
	free(now);
	return !blocked;
}
