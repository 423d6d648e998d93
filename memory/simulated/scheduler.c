/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/simulated/scheduler.h"

#include "memory/simulated/meter.h"
#include "memory/simulated/pass.h"
#include "memory/simulated/process.h"
#include "memory/simulated/store.h"

#include <string.h>

/* The number of bytes below the stack pointer that leaf functions may
 * overwrite. */
enum { LEAF_CALLS = 256 };

void scheduler_start(unsigned p, void (*body)(struct simulated_process *))
{
	sim_forget_pass(p);
	process_prepare(p, body);
	scheduler_resume(p);
}

void scheduler_resume(unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];

	if (co->sp < co->low)
		co->low = co->sp;
	process_continue(p, co->step ? co->step->result : 0);
	if (co->sp < co->low)
		co->low = co->sp;
	scheduler_clean(p);
}

void scheduler_clean(unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];
	char *low = co->low - LEAF_CALLS;

	memset(low, 0, (size_t)(co->sp - low));
	co->low = co->sp;
}

void scheduler_retire(unsigned p)
{
	struct simulated_process *a = sim.process[p];
	struct coroutine *co = &sim.coroutine[p];

	/* If p dies, it has not run since its stack was restored, and `low` may
	 * be above its stack pointer. */
	if (co->sp < co->low)
		co->low = co->sp;
	co->sp = (char *)a;
	co->step = NULL;
	sim_forget_pass(p);
	scheduler_clean(p);
	memset(&a->step, 0, sizeof a->step);
	a->phase = PHASE_REMAINDER;
	a->region_steps = 0;
	a->polls = 0;
	a->outcome = OUTCOME_NONE;
	a->self.session = 0;
	a->self.slot = 0;
	a->self.operation = 0;
	a->self.argument = 0;
	a->self.token = 0;
	memset(a->own + sim.own_persistent, 0,
	       (sim.own_words - sim.own_persistent) * sizeof *a->own);
}

static void set_flux(size_t word, bool flux)
{
	size_t at = sim.flux + word / 64;
	uint64_t bit = UINT64_C(1) << word % 64;
	uint64_t bits = sim.words[at].value;

	sim_change(at, flux ? bits | bit : bits & ~bit);
}

bool scheduler_watched_changed(unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];

	for (uint32_t i = 0; i < co->watch_count; i++)
		if (sim.words[co->watched[i].word].value !=
		    co->watched[i].value)
			return true;
	return co->watch_count == 0;
}

static void wake_all(size_t word)
{
	uint64_t asleep = sim.words[sim.sleeping].value;

	for (unsigned p = 0; p < sim.n; p++)
		if (pass_sleeps_on(p, word))
			asleep &= ~(UINT64_C(1) << p);
	sim_change(sim.sleeping, asleep);
}

/* Make a step of a store.  Returns whether the step may have changed a word.
 * What the step sees is part of the process's local state. */
static bool make_store_step(unsigned p, struct step *s)
{
	switch ((enum step_kind)s->kind) {
	case STEP_LEASE:
		store_grant(p);
		return true;
	case STEP_REVOKE:
		store_end_lease(p);
		return true;
	case STEP_SURVEY:
		store_look(p);
		s->result = store_has_lease(p) ? 0 : (uint64_t)MEM_LAPSED;
		return false;
	case STEP_REMOTE: {
		int made = store_make(p, (const struct transaction *)(uintptr_t)
						 s->a);

		s->result = (uint64_t)made;
		if (made != MEM_LAPSED)
			store_look(p);
		return sim.change_count > 0;
	}
	default: /* STEP_ANSWER */
		s->result = s->b && !store_has_lease(p) ? (uint64_t)MEM_LAPSED
							: s->a;
		return false;
	}
}

static bool is_store_step(enum step_kind kind)
{
	return kind >= STEP_LEASE && kind <= STEP_ANSWER;
}

static bool make(unsigned p, struct step *s, unsigned torn)
{
	size_t i = s->word ? sim_index(s->word) : 0;
	uint64_t old = s->word ? s->word->value : 0;

	if (is_store_step((enum step_kind)s->kind))
		return make_store_step(p, s);
	s->result = old;
	switch ((enum step_kind)s->kind) {
	case STEP_LOOK:
		pass_note_read(p, i, old);
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

/* Whether the effect and the result of a step depend only on one word and on
 * whether that word is in flux. */
static bool is_single_word(enum step_kind kind)
{
	return kind != STEP_LARGE && kind != STEP_WAKE && !is_store_step(kind);
}

/* A survey reads all words that a look sees, and its process may sleep until
 * one of them changes.  Every other step of a store counts as an effect. */
static void note_store_step(unsigned p, const struct step *step, bool changes)
{
	if (step->kind == STEP_SURVEY) {
		sim.coroutine[p].named = true;
		for (size_t i = 0; i < sim.word_count; i++)
			if (store_is_seen(i))
				pass_note_read(p, i, sim.words[i].value);
		return;
	}
	pass_note_effect(p);
	if (changes)
		sim.process[p]->polls |= POLL_WROTE;
}

static void note_in_poll(unsigned p, const struct step *step, bool changes)
{
	size_t word = sim_index(step->word);

	if (changes || step->kind == STEP_LARGE ||
	    sim_torn_values((enum step_kind)step->kind, word) > 1)
		pass_note_effect(p);
	else
		pass_note_read(p, word, sim.words[word].value);
	if (changes && step->kind != STEP_LARGE)
		sim.process[p]->polls |= POLL_WROTE;
}

void scheduler_perform(unsigned p, unsigned torn)
{
	struct step *step = sim.coroutine[p].step;
	bool changes = make(p, step, torn);

	if (pass_is_repeated(p)) {
		if (is_store_step((enum step_kind)step->kind))
			note_store_step(p, step, changes);
		else
			note_in_poll(p, step, changes);
	}
	if (sim.cost != COST_NONE)
		meter_access(p, step, changes);
	if (sim.record)
		*sim.record = *step;
	sim.touched = is_single_word((enum step_kind)step->kind)
			      ? (uint32_t)sim_index(step->word)
			      : UINT32_MAX;
}
