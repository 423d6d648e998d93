/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/transition.h"

#include "checker/history.h"
#include "checker/monitor.h"
#include "checker/move_cache.h"
#include "checker/world_step.h"
#include "memory/simulated/scheduler.h"

static void keep_changes(struct world *w, struct transition *t)
{
	for (size_t i = 0; i < sim.change_count; i++) {
		struct change c = sim.changes[i];
		struct word_change *kept = &t->change[i];

		/* A word may have changed twice.  Then the new value of the
		 * first change is the old value of the second change, and the
		 * sum of the hash differences is right. */
		kept->word = c.word;
		kept->old = c.old;
		kept->new = sim.words[c.word].value;
		for (size_t j = i + 1; j < sim.change_count; j++) {
			if (sim.changes[j].word == c.word) {
				kept->new = sim.changes[j].old;
				break;
			}
		}
		t->hash += hash_word(w->word_key[c.word], kept->new) -
			   hash_word(w->word_key[c.word], kept->old);
	}
	t->change_count = (uint16_t)sim.change_count;
}

/* Let the monitors observe the transition.  The caller has set w->current of
 * the process to the local state after the transition. */
static void keep_monitor(struct world *w, struct transition *t,
			 struct heap *heap)
{
	struct monitor before;

	t->monitor_hash = t->monitor_hash_before = w->monitor_hash;
	t->monitor = NULL;
	/* Most steps do not change the phase of their process.  Then the
	 * monitors remember nothing new, unless the step changed the history or
	 * was a whole resize. */
	if (t->before->phase == t->after->phase && !t->history_before &&
	    t->before->passages_left == t->after->passages_left) {
		t->overtaken = 0;
		t->violated = monitor_too_long(w, t->choice.process);
		return;
	}
	before = w->monitor;
	if (t->choice.act == ACT_DIE)
		w->monitor.deaths_left--;
	t->violated = monitor_observe(w, t->choice.process, t->before,
				      &t->overtaken);
	if (t->history_before)
		t->monitor_hash = world_monitor_hash(w);
	if (memcmp(&before, &w->monitor, sizeof before) != 0) {
		t->monitor = heap_take(heap, 2 * sizeof *t->monitor);
		t->monitor[0] = before;
		t->monitor[1] = w->monitor;
		t->monitor_hash = world_monitor_hash(w);
	}
	t->hash += t->monitor_hash - t->monitor_hash_before;
	w->monitor = before;
}

static void *keep_history(const struct world *w, struct heap *heap)
{
	void *kept = heap_take(heap, history_size(w->history));

	history_save(w->history, kept);
	return kept;
}

static struct transition *begin_transition(struct world *w, struct choice c,
					   struct heap *heap, size_t changes)
{
	struct transition *t = heap_take(heap,
					 sizeof *t +
						 changes * sizeof *t->change);

	t->choice = c;
	t->before = w->current[c.process];
	t->hash_before = w->hash;
	t->history_before = t->history_after = NULL;
	return t;
}

static void finish_transition(struct world *w, struct transition *t,
			      struct heap *heap)
{
	unsigned p = t->choice.process;

	w->current[p] = t->after;
	keep_monitor(w, t, heap);
	w->current[p] = t->before;
	t->size = (size_t)(heap->base + heap->used - t->start);
}

static struct transition *transition_of_move(struct world *w, struct choice c,
					     const struct move *m,
					     struct heap *heap)
{
	struct transition *t = begin_transition(w, c, heap, MOVE_CHANGES);

	t->start = (char *)t;
	t->after = m->after;
	t->hash = w->hash - t->before->hash + t->after->hash;
	t->change_count = m->change_count;
	for (unsigned i = 0; i < m->change_count; i++) {
		uint64_t key = w->word_key[m->word[i]];
		uint64_t old = sim.words[m->word[i]].value;

		t->change[i] = (struct word_change){ m->word[i], old,
						     old ^ m->flipped[i] };
		t->hash += hash_word(key, t->change[i].new) -
			   hash_word(key, old);
	}
	finish_transition(w, t, heap);
	return t;
}

/* Whether the choice begins an operation of an object type. */
static bool invokes(const struct world *w, struct choice c)
{
	return w->history && c.act == ACT_START &&
	       !question_resizer(w->question, c.process) &&
	       w->current[c.process]->phase == PHASE_REMAINDER;
}

/*
 * If the outcome of the operation of p is known, record it in the history.
 * `history` is a copy of the history before the move, or NULL if no copy was
 * made yet.  Returns a copy of the history before the move, or NULL if the
 * history has not changed.
 */
static void *note_outcome(struct world *w, unsigned p, void *history,
			  struct heap *heap)
{
	struct simulated_process *a = sim.process[p];

	if (!w->history || a->outcome == OUTCOME_NONE)
		return history;
	if (!history)
		history = keep_history(w, heap);
	if (a->outcome == OUTCOME_RETURNED)
		history_return(w->history, p, a->self.argument);
	else
		history_never(w->history, p);
	a->outcome = OUTCOME_NONE;
	a->self.operation = a->self.argument = 0;
	return history;
}

/* Make the choice on the stack of its process.  Returns false if the process is
 * blocked. */
static bool make_move(struct world *w, struct choice c)
{
	unsigned p = c.process;

	world_load(w, p);
	for (unsigned q = 0; sim.words[sim.sleeping].value >> q; q++)
		if (sim_asleep(q))
			world_load(w, q);
	sim.change_count = 0;
	sim.touched = TOUCHES_NOTHING;
	w->loaded[p] = NULL;
	if (!world_step(w, c)) {
		w->loaded[p] = w->current[p];
		move_cache_remember(w, c, NULL, NULL, 0);
		return false;
	}
	return true;
}

static struct transition *make_transition(struct world *w, struct choice c,
					  struct heap *heap)
{
	unsigned p = c.process;
	size_t mark = heap->used;
	void *history = NULL;
	struct transition *t;

	if (invokes(w, c)) {
		history = keep_history(w, heap);
		history_invoke(w->history, p, c.variant, p + 1);
	}
	if (!make_move(w, c)) {
		if (history)
			history_restore(w->history, history);
		heap->used = mark;
		return NULL;
	}
	history = note_outcome(w, p, history, heap);
	if (sim.coroutine[p].step && sim.coroutine[p].step->kind == STEP_END)
		scheduler_retire(p);
	t = begin_transition(w, c, heap, sim.change_count);
	t->start = heap->base + mark;
	t->history_before = history;
	t->after = local_states_keep(&w->local_states, p);
	if (!t->after) {
		/* The search will stop; until then, the process counts as
		 * unmoved. */
		w->full = true;
		t->after = t->before;
	}
	t->hash = w->hash - t->before->hash + t->after->hash;
	keep_changes(w, t);
	w->loaded[p] = w->full ? NULL : t->after;
	if (sim.process[p]->remote > w->worst_remote)
		w->worst_remote = sim.process[p]->remote;
	finish_transition(w, t, heap);
	if (history) {
		t->history_after = keep_history(w, heap);
		t->size = (size_t)(heap->base + heap->used - t->start);
		w->full |= history_overflowed(w->history);
		history_restore(w->history, history);
	}
	sim_undo(0);
	/* A move that changes the history depends on more than one word and
	 * one local state, so it is not stored. */
	if (!history)
		move_cache_remember(w, c, t->after, t->change, t->change_count);
	if (!w->lazy)
		world_load(w, p);
	return t;
}

struct transition *transition_try(struct world *w, struct choice c,
				  struct heap *heap)
{
	const struct move *known = move_cache_find(w, c);

	if (!known)
		return make_transition(w, c, heap);
	return known->after ? transition_of_move(w, c, known, heap) : NULL;
}

struct transition *transition_copy(const struct transition *t,
				   struct heap *heap)
{
	char *to = heap_take(heap, t->size);
	ptrdiff_t at = (const char *)t - t->start, by = to - t->start;
	struct transition *copy = (struct transition *)(void *)(to + at);

	memcpy(to, t->start, t->size);
	copy->start = to;
	if (t->monitor)
		copy->monitor = (struct monitor *)(void *)((char *)t->monitor +
							   by);
	if (t->history_before) {
		copy->history_before = (char *)t->history_before + by;
		copy->history_after = (char *)t->history_after + by;
	}
	return copy;
}

void transition_apply(struct world *w, const struct transition *t)
{
	unsigned p = t->choice.process;

	w->current[p] = t->after;
	if (!w->lazy)
		world_load(w, p);
	for (unsigned i = 0; i < t->change_count; i++)
		sim.words[t->change[i].word].value = t->change[i].new;
	if (t->monitor)
		w->monitor = t->monitor[1];
	if (t->history_after)
		history_restore(w->history, t->history_after);
	w->monitor_hash = t->monitor_hash;
	w->hash = t->hash;
}

void transition_retract(struct world *w, const struct transition *t)
{
	unsigned p = t->choice.process;

	w->current[p] = t->before;
	if (!w->lazy)
		world_load(w, p);
	for (unsigned i = t->change_count; i-- > 0;)
		sim.words[t->change[i].word].value = t->change[i].old;
	if (t->monitor)
		w->monitor = t->monitor[0];
	if (t->history_before)
		history_restore(w->history, t->history_before);
	w->monitor_hash = t->monitor_hash_before;
	w->hash = t->hash_before;
}
