/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/world.h"

#include "checker/history.h"
#include "checker/monitor.h"
#include "checker/passage.h"
#include "memory/simulated/meter.h"

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
	/* A meter looks at who has copies, an object at what it was asked:
	 * then a step is more than its word. */
	w->lazy = q->cost == COST_NONE && !a->specification &&
		  !q->make_every_move;
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

static unsigned beginnings(const struct world *w)
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

unsigned world_choices(struct world *w, unsigned p, struct choice *choices)
{
	const struct local *s = w->current[p];
	unsigned count = 0, variants = 1;
	enum act act = ACT_STEP;

	if (s->phase == PHASE_REMAINDER) {
		act = ACT_START;
		variants = s->passages_left ? beginnings(w) : 0;
	} else if (s->phase == PHASE_DEAD) {
		act = ACT_START;
	} else if (sim_asleep(p)) {
		variants = 0;
	} else if (s->kind == STEP_SLEEP) {
		/* A pass that would read the same again says no again. */
		variants = sim.wakes_are_steps || local_watched_changed(s);
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

static bool in_bounded_region(const struct world *w, const struct actor *a)
{
	switch (a->phase) {
	case PHASE_DOORWAY:
		return w->doorway_bound != 0;
	case PHASE_LEAVING:
		return w->leave_bound != 0;
	case PHASE_ABORTING:
		return w->abort_bound != 0;
	default:
		return false;
	}
}

static void make_step(struct world *w, unsigned p, unsigned torn)
{
	struct actor *a = sim.actor[p];

	if (in_bounded_region(w, a) && a->region_steps < UINT16_MAX)
		a->region_steps++;
	sim_perform(p, torn);
	sim_resume(p);
}

static bool is_access(enum step_kind kind)
{
	return kind <= STEP_LARGE || kind == STEP_LOOK || kind == STEP_WAKE;
}

/*
 * Starting, leaving and looking again are no steps: the first access belongs
 * to them.  A look that may fail stands alone, and so does a torn read.
 */
static void first_access(struct world *w, unsigned p)
{
	const struct step *step = sim.errand[p].step;

	if (is_access((enum step_kind)step->kind) &&
	    sim_torn_values((enum step_kind)step->kind,
			    step->word ? sim_index(step->word) : 0) == 1)
		make_step(w, p, 0);
}

/*
 * Where wakes are steps: asleep unless what the pass read has changed.  Which
 * values those were decides nothing from here on, so it is forgotten.
 */
static void fall_asleep(unsigned p)
{
	uint64_t asleep = sim.words[sim.sleeping].value;
	struct errand *e = &sim.errand[p];

	if (sim_watched_changed(p)) {
		e->watch_count = 0;
		return;
	}
	sim_change(sim.sleeping, asleep | UINT64_C(1) << p);
	for (uint32_t i = 0; i < e->watch_count; i++)
		e->watched[i].value = 0;
}

static void note_remote_wait(struct world *w, unsigned p)
{
	long word = meter_remote_wait(p);

	if ((int)p == sim.tracked && word >= 0)
		w->remote_wait = word;
}

/*
 * A failed look leaves nothing behind, except where nobody naps: then the
 * process sleeps; and for the one whose copies are counted: then it has one.
 * True: nothing has happened.
 */
static bool look_failed(struct world *w, unsigned p)
{
	struct errand *e = &sim.errand[p];
	uint16_t remote = sim.actor[p]->remote;
	bool counted = (int)p == sim.tracked && sim.change_count > 0;
	size_t word = sim_index(e->step->word);

	local_put(w->current[p], p);
	if (w->lazy && !sim.wakes_are_steps)
		return true;
	e->watched[0] = (struct watched){ (uint32_t)word,
					  sim.words[word].value };
	e->watch_count = 1;
	note_remote_wait(w, p);
	if (sim.wakes_are_steps)
		fall_asleep(p);
	else if (counted)
		sim.actor[p]->remote = remote;
	return !sim.wakes_are_steps && !counted;
}

/* One step of p.  False: it is blocked and nothing has changed. */
static bool step_once(struct world *w, unsigned p, unsigned torn)
{
	struct errand *e = &sim.errand[p];

	switch ((enum step_kind)e->step->kind) {
	case STEP_INSIDE:
		sim_resume(p);
		if (e->step->kind != STEP_END)
			first_access(w, p);
		return true;
	case STEP_SLEEP:
		e->watch_count = 0;
		e->step->result = PASSAGE_LOOK_AGAIN;
		sim_resume(p);
		first_access(w, p);
		return true;
	case STEP_AWAIT:
	case STEP_AWAIT_SAFE:
		make_step(w, p, torn);
		return e->step->kind != STEP_AGAIN || !look_failed(w, p);
	default:
		make_step(w, p, torn);
		return true;
	}
}

static void start(struct world *w, unsigned p, unsigned variant)
{
	struct actor *a = sim.actor[p];

	a->remote = 0;
	if (a->phase == PHASE_DEAD) {
		sim_start(p, passage_recover);
	} else {
		if (a->passages_left != UNBOUNDED)
			a->passages_left--;
		a->self.session = variant + 1;
		a->self.operation = variant;
		a->self.argument = p + 1;
		sim_start(p, passage_run);
	}
	first_access(w, p);
}

static void die(unsigned p)
{
	sim_retire(p);
	sim.actor[p]->phase = PHASE_DEAD;
	if (sim_asleep(p))
		sim_change(sim.sleeping, sim.words[sim.sleeping].value &
						 ~(UINT64_C(1) << p));
}

/* In the middle of a pass over several words. */
static bool is_passing(unsigned p)
{
	const struct step *step = sim.errand[p].step;

	return step && (step->kind == STEP_LOOK ||
			(!sim.algorithm->enter &&
			 sim.actor[p]->phase == PHASE_WAITING));
}

static bool move(struct world *w, struct choice c)
{
	struct errand *e = &sim.errand[c.process];
	struct actor *a = sim.actor[c.process];
	bool moved = true;

	switch ((enum act)c.act) {
	case ACT_STEP:
		moved = step_once(w, c.process, c.variant);
		break;
	case ACT_START:
		start(w, c.process, c.variant);
		break;
	case ACT_ABORT:
		if (sim_asleep(c.process))
			sim_change(sim.sleeping,
				   sim.words[sim.sleeping].value &
					   ~(UINT64_C(1) << c.process));
		a->aborts_left--;
		e->watch_count = 0;
		e->step->result = PASSAGE_GIVE_UP;
		sim_resume(c.process);
		first_access(w, c.process);
		break;
	case ACT_DIE:
		die(c.process);
		break;
	}
	if (e->step && e->step->kind == STEP_SLEEP) {
		note_remote_wait(w, c.process);
		if (sim.wakes_are_steps && !sim_asleep(c.process))
			fall_asleep(c.process);
	} else if (!sim_asleep(c.process) && !is_passing(c.process)) {
		e->watch_count = 0;
	}
	return moved;
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
	if (e->before->phase == e->after->phase && !w->history) {
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
	if (w->history)
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
	void *kept;

	if (!w->history)
		return NULL;
	kept = heap_take(heap, history_size(w->history));
	history_save(w->history, kept);
	return kept;
}

/* A step that depends on one word only may be looked up. */
static bool is_repeatable(const struct world *w, struct choice c)
{
	return w->lazy && !sim.record &&
	       (c.act == ACT_STEP ||
		(c.act == ACT_START && beginnings(w) == 1));
}

static uint16_t code_of(struct choice c)
{
	return (uint16_t)(c.act << 8 | c.variant);
}

/* Who sleeps on what: a wake depends on it. */
static uint64_t sleepers(const struct world *w)
{
	uint64_t asleep = sim.words[sim.sleeping].value, h = 0;

	for (unsigned q = 0; asleep; q++, asleep >>= 1)
		if (asleep & 1)
			h += hash_mix(w->current[q]->hash + q, hash_keys[4]);
	return h;
}

/* All that the step of a process which touches `word` can see. */
static uint64_t seen_by_step(const struct world *w, uint32_t word)
{
	uint64_t value = 0;

	if (word != TOUCHES_NOTHING) {
		value = sim.words[word].value;
		if (sim.copies > sim.flux && sim_in_flux(word))
			value += hash_keys[5];
	}
	return sim.wakes_are_steps ? value + sleepers(w) : value;
}

/* The move that c would be, if it was made before; NULL: make it. */
static struct move *known_move(struct world *w, struct choice c)
{
	const struct local *s = w->current[c.process];
	uint64_t value;
	struct move *m;

	if (s->touches == TOUCHES_UNKNOWN || !is_repeatable(w, c))
		return NULL;
	value = seen_by_step(w, s->touches);
	m = locals_move(&w->locals, s, value, code_of(c));
	return m->before == s && m->value == value && m->choice == code_of(c)
		       ? m
		       : NULL;
}

/* Called when the changes have been taken back. */
static void remember_move(struct world *w, struct choice c,
			  struct local *after, const struct edge *e)
{
	struct local *s = w->current[c.process];
	uint64_t value;
	struct move *m;

	if (!is_repeatable(w, c) || sim.touched == TOUCHES_UNKNOWN ||
	    (e && e->change_count > MOVE_CHANGES))
		return;
	/* Whether a pass ends asleep depends on all that it has read. */
	if (sim.wakes_are_steps && after && after->kind == STEP_SLEEP)
		return;
	s->touches = sim.touched;
	value = seen_by_step(w, s->touches);
	m = locals_move(&w->locals, s, value, code_of(c));
	*m = (struct move){ s, value, after, code_of(c), 0, { 0 }, { 0 } };
	if (!e)
		return;
	m->change_count = e->change_count;
	for (unsigned i = 0; i < e->change_count; i++) {
		m->word[i] = e->change[i].word;
		m->turned[i] = e->change[i].old ^ e->change[i].new;
	}
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
	if (!move(w, c)) {
		w->loaded[p] = w->current[p];
		remember_move(w, c, NULL, NULL);
		return false;
	}
	if (w->history && sim.errand[p].step->kind == STEP_END)
		history_return(w->history, p, sim.actor[p]->self.argument);
	if (sim.errand[p].step && sim.errand[p].step->kind == STEP_END)
		sim_retire(p);
	return true;
}

static struct edge *make_edge(struct world *w, struct choice c,
			      struct heap *heap)
{
	unsigned p = c.process;
	size_t mark = heap->used;
	void *history = keep_history(w, heap);
	struct edge *e;

	if (w->history && c.act == ACT_START)
		history_invoke(w->history, p, c.variant, p + 1);
	if (!make_move(w, c)) {
		heap->used = mark;
		return NULL;
	}
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
	e->history_after = keep_history(w, heap);
	e->size = (size_t)(heap->base + heap->used - e->start);
	if (w->history)
		history_restore(w->history, history);
	sim_undo(0);
	remember_move(w, c, e->after, e);
	if (!w->lazy)
		world_load(w, p);
	return e;
}

struct edge *world_try(struct world *w, struct choice c, struct heap *heap)
{
	const struct move *known = known_move(w, c);

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
	if (w->history)
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
	if (w->history)
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
