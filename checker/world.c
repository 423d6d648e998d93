/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/world.h"

#include "checker/history.h"
#include "memory/simulated/store.h"

#include <stdlib.h>

static unsigned bound(unsigned (*steps)(const struct shape *), unsigned asked,
		      unsigned property)
{
	return steps && (asked & property) ? steps(&sim.shape) : 0;
}

bool world_open(struct world *w, const struct question *q, size_t memory)
{
	const struct algorithm *a = q->algorithm;

	memset(w, 0, sizeof *w);
	w->question = q;
	w->n = q->shape.n;
	w->asked = q->asked;
	w->remote_wait = -1;
	if (q->canonical)
		counters_open(&w->counters, a, &q->shape);
	if (!sim_open(a, &q->shape, q->tracked))
		return false;
	sim.wakes_are_steps = q->wakes;
	sim.exact_stamps = q->asked & FENCED;
	sim.cost = q->cost;
	sim.smart_cache = q->smart_cache;
	sim.writer_keeps = q->writer_keeps;
	/* The cost of a step depends on cached copies as well as on the word,
	 * so moves cannot be looked up where costs are counted. */
	w->lazy = q->cost == COST_NONE && !q->make_every_move;
	w->word_key = malloc((sim.all_words + 1) * sizeof *w->word_key);
	if (a->object.specification)
		w->history = history_open(a);
	if (!local_states_open(&w->local_states, memory) || !w->word_key ||
	    (a->object.specification && !w->history)) {
		world_close(w);
		return false;
	}
	for (size_t i = 0; i < sim.all_words; i++)
		w->word_key[i] = hash_key(i + 1000);
	w->steps_of = q->steps_of;
	w->doorway_bound = bound(a->bounds.doorway_steps, q->asked,
				 BOUNDED_DOORWAY);
	w->leave_bound = bound(a->bounds.leave_steps, q->asked, BOUNDED_LEAVE);
	w->abort_bound = bound(a->bounds.abort_steps, q->asked, BOUNDED_ABORT);
	w->apply_bound = bound(a->bounds.apply_steps, q->asked, BOUNDED_APPLY);
	w->finish_bound = bound(a->bounds.finish_steps, q->asked,
				BOUNDED_APPLY);
	world_reset(w);
	return true;
}

void world_close(struct world *w)
{
	local_states_close(&w->local_states);
	free(w->word_key);
	history_close(w->history);
	sim_close();
	memset(w, 0, sizeof *w);
}

uint64_t world_monitor_hash(const struct world *w)
{
	uint64_t h = hash_word(hash_key(7), w->monitor.deaths_left) +
		     hash_word(hash_key(8), w->monitor.overtaken) +
		     hash_word(hash_key(9), w->monitor.limit) +
		     hash_word(hash_key(10), w->monitor.shrinking);

	for (unsigned p = 0; p < w->n; p++)
		h += hash_word(hash_key(16 + p), w->monitor.after[p]);
	if (w->asked & BOUNDED_BYPASS)
		for (unsigned p = 0; p < w->n; p++)
			h += hash_word(hash_key(32 + p),
				       w->monitor.bypassed[p]);
	if (w->asked & FENCED)
		for (unsigned i = 0; i < MAX_EXHAUSTIVE_N; i++)
			h += hash_word(hash_key(48 + i), w->monitor.fence[i]);
	return h + history_hash(w->history);
}

void world_load(struct world *w, unsigned p)
{
	if (w->loaded[p] != w->current[p]) {
		local_state_put(w->current[p], p);
		w->loaded[p] = w->current[p];
	}
}

void world_reset(struct world *w)
{
	const struct question *q = w->question;

	sim_reset();
	if (sim.algorithm->over_store)
		store_set_faults(q->faults);
	memset(&w->monitor, 0, sizeof w->monitor);
	w->monitor.deaths_left = q->deaths;
	w->monitor.limit = q->shape.k;
	history_reset(w->history);
	w->monitor_hash = world_monitor_hash(w);
	w->hash = w->monitor_hash;
	for (unsigned p = 0; p < w->n; p++) {
		struct simulated_process *a = sim.process[p];

		a->passages_left = q->passages[p] ? (uint8_t)q->passages[p]
						  : UNBOUNDED;
		a->aborts_left = (uint8_t)q->aborts;
		w->current[p] = w->loaded[p] =
			local_states_keep(&w->local_states, p);
		w->hash += w->current[p]->hash;
	}
	for (size_t i = 0; i < sim.all_words; i++)
		w->hash += hash_word(w->word_key[i], sim.words[i].value);
}

unsigned world_beginnings(const struct world *w)
{
	const struct algorithm *a = w->question->algorithm;

	if (a->kind == KIND_GROUP_EXCLUSION)
		return sim.shape.sessions ? sim.shape.sessions : 2;
	if (a->kind == KIND_OBJECT)
		return a->object.operations;
	return 1;
}

unsigned world_torn_values(const struct world *w, unsigned p)
{
	return sim_torn_values((enum step_kind)w->current[p]->kind,
			       w->current[p]->word);
}

unsigned world_variants(const struct world *w, unsigned p)
{
	if (w->current[p]->kind == STEP_REMOTE)
		return store_faults() ? FATES : 1;
	return world_torn_values(w, p);
}

/*
 * Add what the store and the network can do to p.  While a process is inside,
 * its lease does not end: a process that looks at its clock leaves in time.
 * Without clocks the lease may end at any time.  The lease of a dead process
 * ends by its recovery.
 */
static unsigned store_choices(const struct world *w, unsigned p,
			      struct choice *choices)
{
	enum phase phase = world_phase(w, p);
	unsigned count = 0;

	for (unsigned i = store_delayed(p); i-- > 0;)
		choices[count++] = (struct choice){ (uint8_t)p, ACT_DELIVER,
						    (uint8_t)i };
	if (store_faults() && store_has_lease(p) && phase != PHASE_DEAD &&
	    (phase != PHASE_INSIDE || w->question->no_clocks))
		choices[count++] = (struct choice){ (uint8_t)p, ACT_LAPSE, 0 };
	return count;
}

/* Whether as many processes are outside their remainders as the question
 * allows. */
static bool is_at_contention(const struct world *w)
{
	unsigned outside = 0;

	if (!w->question->contention)
		return false;
	for (unsigned p = 0; p < w->n; p++)
		outside += world_phase(w, p) != PHASE_REMAINDER;
	return outside >= w->question->contention;
}

unsigned world_choices(struct world *w, unsigned p, struct choice *choices)
{
	const struct local_state *s = w->current[p];
	unsigned count = 0, variants = 1;
	enum act act = ACT_STEP;

	if (s->phase == PHASE_REMAINDER) {
		act = ACT_START;
		variants = !s->passages_left || is_at_contention(w) ? 0
			   : question_resizer(w->question, p)
				   ? 1
				   : world_beginnings(w);
	} else if (s->phase == PHASE_DEAD) {
		act = ACT_START;
	} else if (sim_asleep(p)) {
		variants = 0;
	} else if (s->kind == STEP_SLEEP) {
		/* A pass that reads the same values again fails again. */
		variants = sim.wakes_are_steps || sim.cost != COST_NONE ||
			   local_state_watched_changed(s);
	} else {
		variants = world_variants(w, p);
	}
	for (unsigned v = 0; v < variants && count < MAX_CHOICES - 8; v++)
		choices[count++] = (struct choice){ (uint8_t)p, (uint8_t)act,
						    (uint8_t)v };
	/* A process that sleeps in an await_any cannot give up. */
	if (s->kind == STEP_SLEEP && s->polls && s->aborts_left &&
	    sim.algorithm->abort)
		choices[count++] = (struct choice){ (uint8_t)p, ACT_ABORT, 0 };
	if (w->monitor.deaths_left && s->phase != PHASE_REMAINDER &&
	    s->phase != PHASE_DEAD)
		choices[count++] = (struct choice){ (uint8_t)p, ACT_DIE, 0 };
	if (sim.algorithm->over_store)
		count += store_choices(w, p, choices + count);
	return count;
}
