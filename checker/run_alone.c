/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/run_alone.h"

#include "checker/passage.h"
#include "memory/simulated/scheduler.h"

#include <stdlib.h>

enum { ENDLESS = 100000 };

/* A copy of the stack of a process, to try several values of a torn read. */
struct saved_stack {
	struct coroutine coroutine;
	size_t bytes;
	char at[];
};

static struct saved_stack *save_stack(unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];
	size_t bytes = (size_t)(sim_state_end(p) - co->sp);
	struct saved_stack *s = malloc(sizeof *s + bytes);

	if (s) {
		s->coroutine = *co;
		s->bytes = bytes;
		memcpy(s->at, co->sp, bytes);
	}
	return s;
}

static void restore_stack(const struct saved_stack *s, unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];
	char *low = co->sp < co->low ? co->sp : co->low;

	*co = s->coroutine;
	co->low = low < co->low ? low : co->low;
	if (co->low < co->sp)
		scheduler_clean(p);
	memcpy(co->sp, s->at, s->bytes);
}

/* The state before the pass of p. */
struct start {
	const uint64_t *own; /* the own words of p */
	uint64_t await_anys; /* the number of await_anys that had begun */
};

/*
 * Returns whether the pass of p has ended; *proceeded says whether p proceeded
 * in it.
 */
static bool pass_ended(unsigned p, const struct start *start, bool *proceeded)
{
	const struct step *step = sim.coroutine[p].step;

	/* The wait is over if p has begun an await_any after it, even if p
	 * sleeps again in that one. */
	if (sim.await_anys != start->await_anys) {
		*proceeded = true;
		return true;
	}
	if (step->kind == STEP_SLEEP) {
		/* A pass that names no word to sleep on is repeated at once, so
		 * p is not blocked. */
		*proceeded = sim.change_count > 0 ||
			     ((sim.process[p]->polls & POLL_PASSES) &&
			      !sim.coroutine[p].named);
		for (unsigned i = 0; i < sim.own_words; i++)
			*proceeded |= start->own[i] != sim.process[p]->own[i];
		return true;
	}
	/* A process that waits inside `enter`, or that settles, proceeds by any
	 * step that is not a look. */
	if (sim.process[p]->phase != PHASE_WAITING || !sim.process[p]->polls) {
		*proceeded = step->kind != STEP_LOOK;
		return step->kind != STEP_LOOK;
	}
	return false;
}

/* Whether p proceeds with every value that its torn reads may return. */
static bool proceeds_always(unsigned p, const struct start *start,
			    unsigned steps)
{
	const struct step *step = sim.coroutine[p].step;
	unsigned values = sim_torn_values((enum step_kind)step->kind,
					  step->word ? sim_index(step->word)
						     : 0);
	bool proceeded;

	if (pass_ended(p, start, &proceeded))
		return proceeded;
	if (steps == 0 || sim.change_count + 4 > sim.change_room)
		return true;
	for (unsigned v = 0; v < values; v++) {
		const uint64_t await_anys = sim.await_anys;
		size_t mark = sim.change_count;
		struct saved_stack *here = NULL;

		if (values > 1) {
			here = save_stack(p);
			if (!here)
				return true;
		}
		scheduler_perform(p, v);
		scheduler_resume(p);
		proceeded = proceeds_always(p, start, steps - 1);
		if (here) {
			restore_stack(here, p);
			sim_undo(mark);
			sim.await_anys = await_anys;
			free(here);
		}
		if (!proceeded)
			return false;
	}
	return true;
}

/* Begin to run p from its current local state; end_run takes all its steps
 * back. */
static void begin_run(struct world *w, unsigned p)
{
	world_load(w, p);
	w->loaded[p] = NULL;
	sim.change_count = 0;
}

static void end_run(struct world *w, unsigned p)
{
	sim_undo(0);
	if (!w->lazy)
		world_load(w, p);
}

static void begin_pass(unsigned p, uint64_t answer)
{
	sim_forget_pass(p);
	sim.coroutine[p].step->result = answer;
	scheduler_resume(p);
}

/* Whether p proceeds in a pass from its current local state. */
static bool would_proceed(struct world *w, unsigned p, uint64_t answer)
{
	const struct local_state *s = w->current[p];
	const struct start start = {
		(const uint64_t *)(const void *)(local_state_bytes(s) +
						 s->bytes) -
			sim.own_words,
		sim.await_anys,
	};
	enum cost_model cost = sim.cost;
	bool proceeds;

	begin_run(w, p);
	sim.cost = COST_NONE;
	begin_pass(p, answer);
	proceeds = proceeds_always(p, &start, ENDLESS);
	sim.cost = cost;
	end_run(w, p);
	return proceeds;
}

bool run_alone_proceeds(struct world *w, unsigned p)
{
	return would_proceed(w, p, PASSAGE_LOOK_AGAIN);
}

/* Whether the condition of the await of p holds for every value that the read
 * may return. */
static bool await_holds(struct world *w, unsigned p)
{
	unsigned values = world_torn_values(w, p);
	bool holds = true;

	for (unsigned v = 0; v < values && holds; v++) {
		begin_run(w, p);
		scheduler_perform(p, v);
		scheduler_resume(p);
		holds = sim.coroutine[p].step->kind != STEP_AGAIN;
		end_run(w, p);
	}
	return holds;
}

bool run_alone_would_wake(struct world *w, unsigned p)
{
	bool would;

	/* The steps of p are taken back, so p must not wake other processes. */
	sim.wakes_are_steps = false;
	would = w->current[p]->kind == STEP_SLEEP
			? would_proceed(w, p, PASSAGE_LOOK_AGAIN)
			: await_holds(w, p);
	sim.wakes_are_steps = true;
	return would;
}

bool run_alone_nap_helps(struct world *w, unsigned p)
{
	const struct local_state *s = w->current[p];

	return sim.algorithm->naps && s->kind == STEP_SLEEP && s->polls &&
	       would_proceed(w, p, PASSAGE_SLEPT);
}

/*
 * A pass of p has failed.  If another pass may succeed, p makes it at once.
 * Otherwise, if the algorithm naps, p naps and then makes another pass.  If
 * `naps` is set, p must nap before another pass.  Returns false if p is
 * blocked.
 */
static bool pass_again(unsigned p, bool naps)
{
	unsigned polls = sim.process[p]->polls;
	bool unnamed = (polls & POLL_PASSES) && !sim.coroutine[p].named;

	if (!naps && (unnamed || scheduler_watched_changed(p)))
		begin_pass(p, PASSAGE_LOOK_AGAIN);
	else if (sim.algorithm->naps && polls && !(polls & POLL_SLEPT))
		begin_pass(p, PASSAGE_SLEPT);
	else
		return false;
	return true;
}

bool run_alone_enters(struct world *w, unsigned p, unsigned steps)
{
	struct coroutine *co = &sim.coroutine[p];
	unsigned made = 0, passes = 0;
	bool blocked = false, naps = false;

	/* Process p may have read more words than it sleeps on, so a changed
	 * word does not mean that another pass succeeds.  If another pass would
	 * fail, p naps first. */
	if (sim.algorithm->naps && w->current[p]->kind == STEP_SLEEP)
		naps = !run_alone_proceeds(w, p);
	begin_run(w, p);
	while (!blocked && sim.process[p]->phase != PHASE_INSIDE) {
		if (co->step->kind == STEP_SLEEP) {
			blocked = !pass_again(p, naps) || passes++ == ENDLESS;
			naps = false;
			continue;
		}
		blocked = made++ == steps ||
			  sim.change_count + 4 > sim.change_room;
		scheduler_perform(p, 0);
		scheduler_resume(p);
		blocked |= co->step->kind == STEP_AGAIN;
	}
	end_run(w, p);
	return !blocked;
}
