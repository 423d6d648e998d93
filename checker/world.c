/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/world.h"

#include "checker/history.h"
#include "checker/monitor.h"
#include "checker/motion.h"
#include "checker/moves.h"

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
	if (!sim_open(a, &q->shape, q->tracked))
		return false;
	sim.wakes_are_steps = q->wakes;
	sim.cost = q->cost;
	sim.smart_cache = q->smart_cache;
	/* A meter looks at who has copies: then a step is more than its word. */
	w->lazy = q->cost == COST_NONE && !q->make_every_move;
	w->word_key = malloc((sim.all_words + 1) * sizeof *w->word_key);
	if (a->specification)
		w->history = history_open(a);
	if (!locals_open(&w->locals, memory) || !w->word_key ||
	    (a->specification && !w->history)) {
		world_close(w);
		return false;
	}
	for (size_t i = 0; i < sim.all_words; i++)
		w->word_key[i] = hash_key(i + 1000);
	w->doorway_bound = bound(a->doorway_steps, q->asked, BOUNDED_DOORWAY);
	w->leave_bound = bound(a->leave_steps, q->asked, BOUNDED_LEAVE);
	w->abort_bound = bound(a->abort_steps, q->asked, BOUNDED_ABORT);
	w->apply_bound = bound(a->apply_steps, q->asked, BOUNDED_APPLY);
	w->finish_bound = bound(a->finish_steps, q->asked, BOUNDED_APPLY);
	world_reset(w);
	return true;
}

void world_close(struct world *w)
{
	locals_close(&w->locals);
	free(w->word_key);
	history_close(w->history);
	sim_close();
	memset(w, 0, sizeof *w);
}

void world_load(struct world *w, unsigned p)
{
	if (w->loaded[p] != w->current[p]) {
		local_put(w->current[p], p);
		w->loaded[p] = w->current[p];
	}
}

void world_reset(struct world *w)
{
	const struct question *q = w->question;

	sim_reset();
	memset(&w->monitor, 0, sizeof w->monitor);
	w->monitor.deaths_left = q->deaths;
	history_reset(w->history);
	w->monitor_hash = monitor_hash(w);
	w->hash = w->monitor_hash;
	for (unsigned p = 0; p < w->n; p++) {
		struct actor *a = sim.actor[p];

		a->passages_left = q->passages[p]
					   ? (uint8_t)q->passages[p]
					   : UNBOUNDED;
		a->aborts_left = (uint8_t)q->aborts;
		w->current[p] = w->loaded[p] = locals_keep(&w->locals, p);
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
		return a->operations;
	return 1;
}

unsigned world_torn_values(const struct world *w, unsigned p)
{
	return sim_torn_values((enum step_kind)w->current[p]->kind,
			       w->current[p]->word);
}

/* Another passage may begin: only so many may be outside their remainders. */
static bool is_crowded(const struct world *w)
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
	const struct local *s = w->current[p];
	unsigned count = 0, variants = 1;
	enum act act = ACT_STEP;

	if (s->phase == PHASE_REMAINDER) {
		act = ACT_START;
		variants = s->passages_left && !is_crowded(w)
				   ? world_beginnings(w)
				   : 0;
	} else if (s->phase == PHASE_DEAD) {
		act = ACT_START;
	} else if (sim_asleep(p)) {
		variants = 0;
	} else if (s->kind == STEP_SLEEP) {
		/* A pass that would read the same again says no again. */
		variants = sim.wakes_are_steps || sim.cost != COST_NONE ||
			   local_watched_changed(s);
	} else {
		variants = world_torn_values(w, p);
	}
	for (unsigned v = 0; v < variants && count < MAX_CHOICES - 2; v++)
		choices[count++] =
			(struct choice){ (uint8_t)p, (uint8_t)act, (uint8_t)v };
	if (s->kind == STEP_SLEEP && s->aborts_left && sim.algorithm->abort)
		choices[count++] = (struct choice){ (uint8_t)p, ACT_ABORT, 0 };
	if (w->monitor.deaths_left && s->phase != PHASE_REMAINDER &&
	    s->phase != PHASE_DEAD)
		choices[count++] = (struct choice){ (uint8_t)p, ACT_DIE, 0 };
	return count;
}

static void keep_changes(struct world *w, struct edge *e)
{
	for (size_t i = 0; i < sim.change_count; i++) {
		struct change c = sim.changes[i];
		struct edge_change *kept = &e->change[i];

		/* A word changed twice: the later change knows the end, and
		 * the sum of the differences is right all the same. */
		kept->word = c.word;
		kept->old = c.old;
		kept->new = sim.words[c.word].value;
		for (size_t j = i + 1; j < sim.change_count; j++) {
			if (sim.changes[j].word == c.word) {
				kept->new = sim.changes[j].old;
				break;
			}
		}
		e->hash += hash_word(w->word_key[c.word], kept->new) -
			   hash_word(w->word_key[c.word], kept->old);
	}
	e->change_count = (uint16_t)sim.change_count;
}

/* e->after is where its process is now. */
static void keep_monitor(struct world *w, struct edge *e, struct heap *heap)
{
	struct monitor before;

	e->monitor_hash = e->monitor_hash_before = w->monitor_hash;
	e->monitor = NULL;
	/* Most steps stay in their phase, and then there is nothing to keep. */
	if (e->before->phase == e->after->phase && !e->history_before) {
		e->overtaken = 0;
		e->violated = monitor_too_long(w, e->choice.process);
		return;
	}
	before = w->monitor;
	if (e->choice.act == ACT_DIE)
		w->monitor.deaths_left--;
	e->violated = monitor_observe(w, e->choice.process,
				      (enum phase)e->before->phase,
				      &e->overtaken);
	if (e->history_before)
		e->monitor_hash = monitor_hash(w);
	if (memcmp(&before, &w->monitor, sizeof before) != 0) {
		e->monitor = heap_take(heap, 2 * sizeof *e->monitor);
		e->monitor[0] = before;
		e->monitor[1] = w->monitor;
		e->monitor_hash = monitor_hash(w);
	}
	e->hash += e->monitor_hash - e->monitor_hash_before;
	w->monitor = before;
}

static void *keep_history(const struct world *w, struct heap *heap)
{
	void *kept = heap_take(heap, history_size(w->history));

	history_save(w->history, kept);
	return kept;
}

static struct edge *begin_edge(struct world *w, struct choice c,
			       struct heap *heap, size_t changes)
{
	struct edge *e =
		heap_take(heap, sizeof *e + changes * sizeof *e->change);

	e->choice = c;
	e->before = w->current[c.process];
	e->hash_before = w->hash;
	e->history_before = e->history_after = NULL;
	return e;
}

static void finish_edge(struct world *w, struct edge *e, struct heap *heap)
{
	unsigned p = e->choice.process;

	w->current[p] = e->after;
	keep_monitor(w, e, heap);
	w->current[p] = e->before;
	e->size = (size_t)(heap->base + heap->used - e->start);
}

static struct edge *edge_of_move(struct world *w, struct choice c,
				 const struct move *m, struct heap *heap)
{
	struct edge *e = begin_edge(w, c, heap, MOVE_CHANGES);

	e->start = (char *)e;
	e->after = m->after;
	e->hash = w->hash - e->before->hash + e->after->hash;
	e->change_count = m->change_count;
	for (unsigned i = 0; i < m->change_count; i++) {
		uint64_t key = w->word_key[m->word[i]];
		uint64_t old = sim.words[m->word[i]].value;

		e->change[i] = (struct edge_change){ m->word[i], old,
						     old ^ m->turned[i] };
		e->hash += hash_word(key, e->change[i].new) -
			   hash_word(key, old);
	}
	finish_edge(w, e, heap);
	return e;
}

/* The choice begins an operation. */
static bool invokes(const struct world *w, struct choice c)
{
	return w->history && c.act == ACT_START &&
	       w->current[c.process]->phase == PHASE_REMAINDER;
}

/* What p's operation came to is known: it is told and forgotten.  `history`: as
 * it was before the move, or NULL and then it is kept first. */
static void *note_outcome(struct world *w, unsigned p, void *history,
			  struct heap *heap)
{
	struct actor *a = sim.actor[p];

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

/* Make the choice on the stack of its process.  False: it is blocked. */
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
	if (!motion_make(w, c)) {
		w->loaded[p] = w->current[p];
		moves_remember(w, c, NULL, NULL);
		return false;
	}
	return true;
}

static struct edge *make_edge(struct world *w, struct choice c,
			      struct heap *heap)
{
	unsigned p = c.process;
	size_t mark = heap->used;
	void *history = NULL;
	struct edge *e;

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
	if (sim.errand[p].step && sim.errand[p].step->kind == STEP_END)
		sim_retire(p);
	e = begin_edge(w, c, heap, sim.change_count);
	e->start = heap->base + mark;
	e->history_before = history;
	e->after = locals_keep(&w->locals, p);
	if (!e->after) {
		/* The search will stop; until then nothing has happened. */
		w->full = true;
		e->after = e->before;
	}
	e->hash = w->hash - e->before->hash + e->after->hash;
	keep_changes(w, e);
	w->loaded[p] = w->full ? NULL : e->after;
	if (sim.actor[p]->remote > w->worst_remote)
		w->worst_remote = sim.actor[p]->remote;
	finish_edge(w, e, heap);
	if (history) {
		e->history_after = keep_history(w, heap);
		e->size = (size_t)(heap->base + heap->used - e->start);
		w->full |= history_overflowed(w->history);
		history_restore(w->history, history);
	}
	sim_undo(0);
	/* What the history learns is more than a word and a local state. */
	if (!history)
		moves_remember(w, c, e->after, e);
	if (!w->lazy)
		world_load(w, p);
	return e;
}

struct edge *world_try(struct world *w, struct choice c, struct heap *heap)
{
	const struct move *known = moves_find(w, c);

	if (!known)
		return make_edge(w, c, heap);
	return known->after ? edge_of_move(w, c, known, heap) : NULL;
}

struct edge *edge_copy(const struct edge *e, struct heap *heap)
{
	char *to = heap_take(heap, e->size);
	ptrdiff_t by = to - e->start;
	struct edge *copy = (struct edge *)(void *)((char *)(uintptr_t)e + by);

	memcpy(to, e->start, e->size);
	copy->start = to;
	if (e->monitor)
		copy->monitor =
			(struct monitor *)(void *)((char *)e->monitor + by);
	if (e->history_before) {
		copy->history_before = (char *)e->history_before + by;
		copy->history_after = (char *)e->history_after + by;
	}
	return copy;
}

void world_apply(struct world *w, const struct edge *e)
{
	unsigned p = e->choice.process;

	w->current[p] = e->after;
	if (!w->lazy)
		world_load(w, p);
	for (unsigned i = 0; i < e->change_count; i++)
		sim.words[e->change[i].word].value = e->change[i].new;
	if (e->monitor)
		w->monitor = e->monitor[1];
	if (e->history_after)
		history_restore(w->history, e->history_after);
	w->monitor_hash = e->monitor_hash;
	w->hash = e->hash;
}

void world_retract(struct world *w, const struct edge *e)
{
	unsigned p = e->choice.process;

	w->current[p] = e->before;
	if (!w->lazy)
		world_load(w, p);
	for (unsigned i = e->change_count; i-- > 0;)
		sim.words[e->change[i].word].value = e->change[i].old;
	if (e->monitor)
		w->monitor = e->monitor[0];
	if (e->history_before)
		history_restore(w->history, e->history_before);
	w->monitor_hash = e->monitor_hash_before;
	w->hash = e->hash_before;
}

size_t world_history_size(const struct world *w)
{
	return history_size(w->history);
}

void world_history_save(const struct world *w, void *to)
{
	history_save(w->history, to);
}

void world_history_restore(struct world *w, const void *from)
{
	history_restore(w->history, from);
}
