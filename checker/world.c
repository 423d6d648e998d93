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

bool world_open(struct world *w, const struct question *q)
{
	const struct algorithm *a = q->algorithm;
	size_t largest;

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
	largest = sizeof(struct snapshot) + sim.stack_size +
		  sizeof(struct actor) + sim.own_words * 8 +
		  (sim.word_count + 1) * sizeof(struct watched);
	w->scratch = malloc(largest);
	for (unsigned p = 0; p < w->n; p++)
		w->settled[p] = malloc(largest);
	w->word_key = malloc((sim.all_words + 1) * sizeof *w->word_key);
	if (a->specification)
		w->history = history_open(a);
	if (!w->scratch || !w->word_key || !w->settled[w->n - 1] ||
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
	free(w->scratch);
	for (unsigned p = 0; p < w->n; p++)
		free(w->settled[p]);
	free(w->word_key);
	history_close(w->history);
	sim_close();
	memset(w, 0, sizeof *w);
}

void world_settle(struct world *w, unsigned p)
{
	snapshot_take(w->settled[p], p);
	w->current[p] = w->settled[p];
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
		w->actor_hash[p] = snapshot_take(w->settled[p], p);
		w->current[p] = w->settled[p];
		w->hash += w->actor_hash[p];
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

unsigned world_choices(struct world *w, unsigned p, struct choice *choices)
{
	const struct actor *a = sim.actor[p];
	const struct step *step = sim.errand[p].step;
	unsigned count = 0, variants = 1;
	enum act act = ACT_STEP;

	if (a->phase == PHASE_REMAINDER) {
		act = ACT_START;
		variants = a->passages_left ? beginnings(w) : 0;
	} else if (a->phase == PHASE_DEAD) {
		act = ACT_START;
	} else if (sim_asleep(p)) {
		variants = 0;
	} else {
		variants = sim_torn_values(p);
		/* A pass that would read the same again says no again. */
		if (step->kind == STEP_SLEEP && !sim_watched_changed(p) &&
		    !sim.wakes_are_steps)
			variants = 0;
	}
	for (unsigned v = 0; v < variants && count < MAX_CHOICES - 2; v++)
		choices[count++] =
			(struct choice){ (uint8_t)p, (uint8_t)act, (uint8_t)v };
	if (step && step->kind == STEP_SLEEP && a->aborts_left &&
	    sim.algorithm->abort)
		choices[count++] = (struct choice){ (uint8_t)p, ACT_ABORT, 0 };
	if (w->monitor.deaths_left && a->phase != PHASE_REMAINDER &&
	    a->phase != PHASE_DEAD)
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

	if (is_access((enum step_kind)step->kind) && sim_torn_values(p) == 1)
		make_step(w, p, 0);
}

/* Where wakes are steps: asleep unless what the pass read has changed. */
static void fall_asleep(unsigned p)
{
	uint64_t asleep = sim.words[sim.sleeping].value;

	if (!sim_watched_changed(p))
		sim_change(sim.sleeping, asleep | UINT64_C(1) << p);
}

static void note_remote_wait(struct world *w, unsigned p)
{
	long word = meter_remote_wait(p);

	if ((int)p == sim.tracked && word >= 0)
		w->remote_wait = word;
}

static bool look_failed(struct world *w, unsigned p, struct snapshot *before)
{
	struct errand *e = &sim.errand[p];
	uint16_t remote = sim.actor[p]->remote;
	bool counted = (int)p == sim.tracked && sim.change_count > 0;
	size_t word = sim_index(e->step->word);

	snapshot_put(before, p);
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
static bool step_once(struct world *w, unsigned p, unsigned torn,
		      struct snapshot *before)
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
		return e->step->kind != STEP_AGAIN || !look_failed(w, p, before);
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
			 world_phase(p) == PHASE_WAITING));
}

static bool move(struct world *w, struct choice c, struct snapshot *before)
{
	struct errand *e = &sim.errand[c.process];
	struct actor *a = sim.actor[c.process];
	bool moved = true;

	switch ((enum act)c.act) {
	case ACT_STEP:
		moved = step_once(w, c.process, c.variant, before);
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

static void keep_monitor(struct world *w, struct edge *e, struct heap *heap,
			 enum phase was)
{
	struct monitor before;

	e->monitor_hash = e->monitor_hash_before = w->monitor_hash;
	e->monitor = NULL;
	/* Most steps stay in their phase, and then there is nothing to keep. */
	if (was == world_phase(e->choice.process) && !w->history) {
		e->overtaken = 0;
		e->violated = monitor_too_long(w, e->choice.process);
		return;
	}
	before = w->monitor;
	if (e->choice.act == ACT_DIE)
		w->monitor.deaths_left--;
	e->violated = monitor_observe(w, e->choice.process, was, &e->overtaken);
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

struct edge *world_try(struct world *w, struct choice c, struct heap *heap)
{
	unsigned p = c.process;
	size_t mark = heap->used;
	enum phase was = world_phase(p);
	struct snapshot *before = w->current[p];
	struct edge *e;

	void *history = keep_history(w, heap);

	sim.change_count = 0;
	if (w->history && c.act == ACT_START)
		history_invoke(w->history, p, c.variant, p + 1);
	if (!move(w, c, before)) {
		heap->used = mark;
		return NULL;
	}
	if (w->history && sim.errand[p].step->kind == STEP_END)
		history_return(w->history, p, sim.actor[p]->self.argument);
	e = heap_take(heap, sizeof *e + sim.change_count * sizeof *e->change);
	e->choice = c;
	e->before = before;
	e->history_before = history;
	e->hash_before = w->hash;
	e->actor_hash_before = w->actor_hash[p];
	e->hash = w->hash - e->actor_hash_before;
	if (sim.errand[p].step && sim.errand[p].step->kind == STEP_END)
		sim_retire(p);
	keep_changes(w, e);
	keep_monitor(w, e, heap, was);
	if (sim.actor[p]->remote > w->worst_remote)
		w->worst_remote = sim.actor[p]->remote;
	e->after = heap_take(heap, snapshot_room(p));
	e->actor_hash = snapshot_take(e->after, p);
	e->hash += e->actor_hash;
	e->history_after = keep_history(w, heap);
	if (w->history)
		history_restore(w->history, history);
	snapshot_put(before, p);
	sim_undo(0);
	e->start = heap->base + mark;
	e->size = heap->used - mark;
	return e;
}

struct edge *edge_copy(const struct edge *e, struct heap *heap)
{
	char *to = heap_take(heap, e->size);
	ptrdiff_t by = to - e->start;
	struct edge *copy = (struct edge *)(void *)((char *)(uintptr_t)e + by);

	memcpy(to, e->start, e->size);
	copy->start = to;
	copy->after = (struct snapshot *)(void *)((char *)e->after + by);
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

	snapshot_put(e->after, p);
	w->current[p] = e->after;
	for (unsigned i = 0; i < e->change_count; i++)
		sim.words[e->change[i].word].value = e->change[i].new;
	if (e->monitor)
		w->monitor = e->monitor[1];
	if (w->history)
		history_restore(w->history, e->history_after);
	w->actor_hash[p] = e->actor_hash;
	w->monitor_hash = e->monitor_hash;
	w->hash = e->hash;
}

void world_retract(struct world *w, const struct edge *e)
{
	unsigned p = e->choice.process;

	snapshot_put(e->before, p);
	w->current[p] = e->before;
	for (unsigned i = e->change_count; i-- > 0;)
		sim.words[e->change[i].word].value = e->change[i].old;
	if (e->monitor)
		w->monitor = e->monitor[0];
	if (w->history)
		history_restore(w->history, e->history_before);
	w->actor_hash[p] = e->actor_hash_before;
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
