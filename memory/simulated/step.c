/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps, the scheduler's side: make the one that a process has announced, and
 * let it compute until the next.
 */
#include "memory/simulated/arena.h"

#include <string.h>

enum {
	LEAF_CALLS = 256
}; /* bytes below a stack pointer that calls may dirty */

void sim_resume(unsigned p)
{
	struct errand *e = &sim.errand[p];

	if (e->sp < e->low)
		e->low = e->sp;
	arena_switch(p, e->step ? e->step->result : 0);
	if (e->sp < e->low)
		e->low = e->sp;
	sim_clean(p);
}

void sim_clean(unsigned p)
{
	struct errand *e = &sim.errand[p];
	char *low = e->low - LEAF_CALLS;

	memset(low, 0, (size_t)(e->sp - low));
	e->low = e->sp;
}

void sim_retire(unsigned p)
{
	struct actor *a = sim.actor[p];
	struct errand *e = &sim.errand[p];

	/* One that dies has its stack put there and does not run. */
	if (e->sp < e->low)
		e->low = e->sp;
	e->sp = (char *)a;
	e->step = NULL;
	sim_forget_pass(p);
	sim_clean(p);
	memset(&a->step, 0, sizeof a->step);
	a->phase = PHASE_REMAINDER;
	a->region_steps = 0;
	a->polls = 0;
	a->outcome = OUTCOME_NONE;
	a->self.session = 0;
	a->self.slot = 0;
	a->self.operation = 0;
	a->self.argument = 0;
	memset(a->own + sim.own_persistent, 0,
	       (sim.own_words - sim.own_persistent) * sizeof *a->own);
}

void sim_change(size_t word, uint64_t value)
{
	sim.changes[sim.change_count++] = (struct change){
		(uint32_t)word, sim.words[word].value
	};
	sim.words[word].value = value;
}

void sim_undo(size_t mark)
{
	while (sim.change_count > mark) {
		struct change c = sim.changes[--sim.change_count];

		sim.words[c.word].value = c.old;
	}
}

static void set_flux(size_t word, bool flux)
{
	size_t at = sim.flux + word / 64;
	uint64_t bit = UINT64_C(1) << word % 64;
	uint64_t bits = sim.words[at].value;

	sim_change(at, flux ? bits | bit : bits & ~bit);
}

uint64_t sim_torn_value(size_t word, unsigned torn)
{
	unsigned count;
	const uint64_t *domain = arena_domain(word, &count);

	if (count == 0 || !sim_in_flux(word))
		return sim.words[word].value;
	return domain[torn % count];
}

unsigned sim_torn_values(enum step_kind kind, size_t word)
{
	unsigned count;

	if ((kind != STEP_SAFE_READ && kind != STEP_AWAIT_SAFE) ||
	    !sim_in_flux(word))
		return 1;
	arena_domain(word, &count);
	return count ? count : 1;
}

bool sim_watched_changed(unsigned p)
{
	const struct errand *e = &sim.errand[p];

	for (uint32_t i = 0; i < e->watch_count; i++)
		if (sim.words[e->watched[i].word].value != e->watched[i].value)
			return true;
	return e->watch_count == 0;
}

static void wake_all(size_t word)
{
	uint64_t asleep = sim.words[sim.sleeping].value;

	for (unsigned p = 0; p < sim.n; p++)
		if (arena_sleeps_on(p, word))
			asleep &= ~(UINT64_C(1) << p);
	sim_change(sim.sleeping, asleep);
}

static bool make(unsigned p, struct step *s, unsigned torn)
{
	size_t i = s->word ? sim_index(s->word) : 0;
	uint64_t old = s->word ? s->word->value : 0;

	s->result = old;
	switch ((enum step_kind)s->kind) {
	case STEP_LOOK:
		arena_watch(p, i, old);
		return false;
	case STEP_WRITE:
	case STEP_SWAP:
		sim_change(i, s->a);
		return true;
	case STEP_ADD:
		sim_change(i, old + s->a);
		return true;
	case STEP_CAS:
		s->result = old == s->a;
		if (s->result)
			sim_change(i, s->b);
		return s->result;
	case STEP_TAS:
		sim_change(i, 1);
		return true;
	case STEP_SAFE_READ:
	case STEP_AWAIT_SAFE:
		s->result = sim_torn_value(i, torn);
		return false;
	case STEP_SAFE_BEGIN:
		set_flux(i, true);
		return true;
	case STEP_SAFE_END:
		sim_change(i, s->a);
		set_flux(i, false);
		return true;
	case STEP_LARGE: {
		large_step *function = (large_step *)(uintptr_t)s->a;

		s->result = function(s->word, (void *)(uintptr_t)s->b);
		return true;
	}
	case STEP_WAKE:
		wake_all(i);
		return false;
	default:
		return false;
	}
}

/* Its effect and result depend on one word, in flux or not, and on nothing
 * else. */
static bool is_single_word(enum step_kind kind)
{
	return kind != STEP_LARGE && kind != STEP_WAKE;
}

static void note_in_poll(unsigned p, const struct step *step, bool changes)
{
	size_t word = sim_index(step->word);

	if (changes || step->kind == STEP_LARGE ||
	    sim_torn_values((enum step_kind)step->kind, word) > 1)
		arena_restless(p);
	else
		arena_watch(p, word, sim.words[word].value);
	if (changes && step->kind != STEP_LARGE)
		sim.actor[p]->polls |= POLL_WROTE;
}

void sim_perform(unsigned p, unsigned torn)
{
	struct step *step = sim.errand[p].step;
	bool changes = make(p, step, torn);

	if (arena_polls(p))
		note_in_poll(p, step, changes);
	if (sim.cost != COST_NONE)
		meter_access(p, step, changes);
	if (sim.record)
		*sim.record = *step;
	sim.touched = is_single_word((enum step_kind)step->kind)
			      ? (uint32_t)sim_index(step->word)
			      : UINT32_MAX;
}
