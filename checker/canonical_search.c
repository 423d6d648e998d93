/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/canonical_search.h"

#include "checker/canonical.h"
#include "checker/expand.h"

#include <stdio.h>
#include <stdlib.h>

#define NO_PARENT UINT32_MAX /* of the initial state */

/* What the search remembers of a representative. */
struct record {
	uint64_t hash;   /* its fingerprint, not the canonical one */
	uint32_t parent; /* the state from which it was reached first */
	uint32_t depth;
	struct choice by; /* leads from the parent to it */
	/* the behaviour of a state that it represents, and how this state was
	 * reached; 0: unknown */
	uint64_t behaviour;
	uint32_t witness_parent;
	struct choice witness_by;
};

/* A state that the search has put aside. */
struct stored {
	uint32_t number;
	uint64_t hash, monitor_hash;
	struct monitor monitor;
	struct local_state *current[MAX_EXHAUSTIVE_N];
	uint64_t word[];
};

struct canonical_search {
	struct search *search;
	struct workers *workers;
	struct worker_counts *counts;
	struct graph *graph;
	struct world world;
	struct canonical *canonical;
	struct expansion x;       /* of a representative */
	struct expansion pair[2]; /* of two states that are compared */
	struct record *record;
	struct seen
		compared; /* states and pairs of states that were compared */
	uint64_t compared_count;
	struct heap level, next; /* states to expand, of this depth and next */
	struct heap pairs;       /* pairs of states to compare */
	struct stored *left, *right; /* the pair that is being compared */
	struct heap replayed; /* the transitions of a replayed schedule */
	struct choice *path;
};

static size_t stored_size(void)
{
	return sizeof(struct stored) + sim.all_words * sizeof(uint64_t);
}

static bool open_search(struct canonical_search *c, struct search *s)
{
	memset(c, 0, sizeof *c);
	c->search = s;
	c->workers = s->workers;
	c->counts = &s->workers->counts[0];
	c->graph = s->graph;
	c->record = heap_reserve(c->graph->most_states * sizeof *c->record);
	c->path = heap_reserve(MAX_DEPTH * sizeof *c->path);
	if (!c->record || !c->path || !heap_open(&c->level, s->memory) ||
	    !heap_open(&c->next, s->memory) ||
	    !heap_open(&c->pairs, s->memory) ||
	    !heap_open(&c->replayed, s->memory) || !expand_open(&c->x) ||
	    !expand_open(&c->pair[0]) || !expand_open(&c->pair[1]) ||
	    !seen_open(&c->compared, s->memory, false) ||
	    !world_open(&c->world, s->question, s->memory))
		return false;
	c->canonical = canonical_open();
	c->left = malloc(stored_size());
	c->right = malloc(stored_size());
	return c->canonical && c->left && c->right;
}

/* Write the schedule that leads to a representative; returns its length. */
static size_t write_path(struct canonical_search *c, uint32_t number)
{
	size_t length = c->record[number].depth;

	for (size_t i = length; i-- > 0;) {
		c->path[i] = c->record[number].by;
		number = c->record[number].parent;
	}
	return length;
}

static void note_violation(struct canonical_search *c, unsigned refused,
			   uint32_t number, const struct choice *last)
{
	unsigned fresh = refused & ~workers_get(&c->workers->violated);
	size_t length;

	if (!fresh)
		return;
	length = write_path(c, number);
	if (last)
		c->path[length++] = *last;
	workers_note_violation(c->workers, fresh, c->path, length);
}

/* Store the current state of the world on top of the heap.  Returns NULL if
 * there is no room. */
static struct stored *store(struct canonical_search *c, struct heap *heap)
{
	const struct world *w = &c->world;
	struct stored *s;

	if (heap->used + stored_size() + 16 > heap->size) {
		workers_set(&c->workers->stop, STOP_MEMORY);
		return NULL;
	}
	s = heap_take(heap, stored_size());
	s->hash = w->hash;
	s->monitor_hash = w->monitor_hash;
	s->monitor = w->monitor;
	memcpy(s->current, w->current, sizeof s->current);
	for (size_t i = 0; i < sim.all_words; i++)
		s->word[i] = sim.words[i].value;
	return s;
}

/* The search will expand the current state of the world later. */
static void put_off(struct canonical_search *c, uint32_t number)
{
	struct stored *s = store(c, &c->next);

	if (s)
		s->number = number;
}

static void go_to(struct world *w, const struct stored *s)
{
	w->hash = s->hash;
	w->monitor_hash = s->monitor_hash;
	w->monitor = s->monitor;
	memcpy(w->current, s->current, sizeof s->current);
	for (size_t i = 0; i < sim.all_words; i++)
		sim.words[i].value = s->word[i];
	for (unsigned p = 0; p < w->n && !w->lazy; p++)
		world_load(w, p);
}

/*
 * Whether a transition begins a pass that will fail.  Such a transition exists
 * only if a word has changed since the last pass, and whether a word has
 * changed is not part of a fingerprint.
 */
static bool is_vain(const struct expansion *x, const struct transition *t)
{
	return !sim.wakes_are_steps && t->choice.act == ACT_STEP &&
	       t->before->kind == STEP_SLEEP &&
	       !(x->enabled >> t->choice.process & 1);
}

static uint64_t hash_transition(const struct transition *t, uint64_t target)
{
	uint64_t choice = (uint64_t)t->choice.process << 16 |
			  (uint64_t)t->choice.act << 8 | t->choice.variant;

	return hash_word(hash_key(choice + 5000), target) +
	       hash_word(hash_key(choice + (UINT64_C(1) << 32)),
			 (uint64_t)t->overtaken << 32 | t->violated);
}

/* The part of a behaviour that does not depend on single transitions. */
static uint64_t hash_expansion(const struct expansion *x)
{
	return hash_word(hash_key(1), x->enabled) +
	       hash_word(hash_key(2), x->refused);
}

/* Returns the canonical fingerprint of the target of t. */
static uint64_t target_of(struct canonical_search *c,
			  const struct transition *t)
{
	uint64_t target;

	transition_apply(&c->world, t);
	target = canonical_hash(c->canonical, &c->world);
	transition_retract(&c->world, t);
	return target;
}

static void refuse(struct canonical_search *c)
{
	snprintf(c->workers->message, sizeof c->workers->message,
		 "the rules of the counters of %s are wrong: they take two "
		 "states for one, and then a process can do in one of them "
		 "what it cannot do in the other; correct .counter in its "
		 "table",
		 sim.algorithm->name);
	workers_set(&c->workers->stop, STOP_FAILED);
}

/* Returns true if the set of what was compared did not contain the hash. */
static bool is_fresh(struct canonical_search *c, uint64_t hash)
{
	if (!seen_add(&c->compared, hash))
		return false;
	if (seen_needs_growth(&c->compared, ++c->compared_count) &&
	    !seen_grow(&c->compared))
		workers_set(&c->workers->stop, STOP_MEMORY);
	return true;
}

/* Remove the transitions that begin a pass that will fail. */
static void drop_vain(struct expansion *x)
{
	unsigned count = 0;

	for (unsigned i = 0; i < x->count; i++)
		if (!is_vain(x, x->transition[i]))
			x->transition[count++] = x->transition[i];
	x->count = count;
}

static bool same_phases(const struct world *w, const struct stored *s)
{
	for (unsigned p = 0; p < w->n; p++)
		if (w->current[p]->phase != s->current[p]->phase)
			return false;
	return true;
}

/* Whether t and u are the same transition of two states, apart from counts. */
static bool same_transition(const struct transition *t,
			    const struct transition *u)
{
	return t->choice.process == u->choice.process &&
	       t->choice.act == u->choice.act &&
	       t->choice.variant == u->choice.variant &&
	       t->violated == u->violated && t->overtaken == u->overtaken;
}

static bool same_expansions(const struct expansion *x,
			    const struct expansion *y)
{
	bool same = x->count == y->count && x->enabled == y->enabled &&
		    hash_expansion(x) == hash_expansion(y);

	for (unsigned i = 0; same && i < x->count; i++)
		same = same_transition(x->transition[i], y->transition[i]);
	return same;
}

/* Store the target of a transition from state `from`. */
static struct stored *store_target(struct canonical_search *c,
				   const struct stored *from,
				   const struct transition *t)
{
	struct stored *s;

	go_to(&c->world, from);
	transition_apply(&c->world, t);
	s = store(c, &c->pairs);
	transition_retract(&c->world, t);
	return s;
}

static void expand_stored(struct canonical_search *c, const struct stored *s,
			  struct expansion *x)
{
	go_to(&c->world, s);
	expand(&c->world, x, NULL);
	drop_vain(x);
}

/*
 * Compare two states.  If a transition leads them to targets with different
 * canonical fingerprints, the search compares these targets later.
 */
static void compare_pair(struct canonical_search *c, const struct stored *a,
			 const struct stored *b)
{
	struct expansion *x = &c->pair[0], *y = &c->pair[1];
	uint64_t target[MAX_TRANSITIONS];

	expand_stored(c, a, x);
	for (unsigned i = 0; i < x->count; i++)
		target[i] = target_of(c, x->transition[i]);
	expand_stored(c, b, y);
	if (!same_phases(&c->world, a) || !same_expansions(x, y)) {
		refuse(c);
		return;
	}
	for (unsigned i = 0; i < y->count; i++) {
		uint64_t other;

		go_to(&c->world, b);
		other = target_of(c, y->transition[i]);
		if (target[i] == other ||
		    !is_fresh(c, hash_mix(target[i] ^ hash_keys[6],
					  other ^ hash_keys[7])))
			continue;
		store_target(c, a, x->transition[i]);
		store_target(c, b, y->transition[i]);
	}
}

/* Go to the state that a choice from a representative leads to, or to the
 * initial state. */
static void replay(struct canonical_search *c, uint32_t parent,
		   struct choice last)
{
	size_t length = 0;

	if (parent != NO_PARENT) {
		length = write_path(c, parent);
		c->path[length++] = last;
	}
	world_reset(&c->world);
	c->replayed.used = 0;
	for (size_t i = 0; i < length; i++) {
		struct transition *t = transition_try(&c->world, c->path[i],
						      &c->replayed);

		if (!t) {
			workers_set(&c->workers->stop, STOP_FAILED);
			return;
		}
		transition_apply(&c->world, t);
	}
}

/* Take the state on top of the pairs. */
static void take(struct canonical_search *c, struct stored *into)
{
	c->pairs.used -= (stored_size() + 15) & ~(size_t)15;
	memcpy(into, c->pairs.base + c->pairs.used, stored_size());
}

/*
 * The current state of the world and the witness of record r have the same
 * canonical fingerprint, and some of their targets have different canonical
 * fingerprints.  Compare the targets, their targets and so on, until the two
 * states reach the same canonical fingerprints.
 */
static void compare_deeper(struct canonical_search *c, const struct record *r)
{
	struct stored *here = store(c, &c->pairs);
	size_t bottom = c->pairs.used;

	if (!here || !store(c, &c->pairs))
		return;
	replay(c, r->witness_parent, r->witness_by);
	store(c, &c->pairs);
	while (c->pairs.used > bottom &&
	       workers_get(&c->workers->stop) == STOP_NOT) {
		take(c, c->right);
		take(c, c->left);
		compare_pair(c, c->left, c->right);
	}
	go_to(&c->world, here);
	c->pairs.used = 0;
}

/* The current state of the world has this behaviour; `parent` and `by` say how
 * the search reached it.  Compare it with the other states that have the same
 * representative. */
static void note_behaviour(struct canonical_search *c, uint32_t number,
			   uint64_t behaviour, uint32_t parent,
			   struct choice by)
{
	struct record *r = &c->record[number];

	behaviour += behaviour == 0;
	if (r->behaviour && r->behaviour != behaviour) {
		compare_deeper(c, r);
	} else if (!r->behaviour) {
		r->behaviour = behaviour;
		r->witness_parent = parent;
		r->witness_by = by;
	}
}

/* The current state of the world is represented by `number` but has other
 * counts. */
static void compare(struct canonical_search *c, uint32_t number,
		    uint32_t parent, struct choice by)
{
	struct expansion *x = &c->pair[0];
	uint64_t behaviour;

	if (!is_fresh(c, c->world.hash))
		return;
	expand(&c->world, x, NULL);
	drop_vain(x);
	behaviour = hash_expansion(x);
	for (unsigned i = 0; i < x->count; i++)
		behaviour += hash_transition(x->transition[i],
					     target_of(c, x->transition[i]));
	note_behaviour(c, number, behaviour, parent, by);
}

/* Follow t from the representative `from`.  Returns the canonical fingerprint
 * of the target. */
static uint64_t follow(struct canonical_search *c, uint32_t from,
		       const struct transition *t)
{
	struct graph *g = c->graph;
	uint64_t states = g->states, target;
	uint32_t number;

	transition_apply(&c->world, t);
	target = canonical_hash(c->canonical, &c->world);
	if (expand_beyond(t)) {
		number = graph_add_edge(g, t->choice, target);
		if (number == states) {
			c->record[number] = (struct record){
				.hash = c->world.hash,
				.parent = from,
				.depth = c->record[from].depth + 1,
				.by = t->choice,
			};
			put_off(c, number);
		} else if (c->record[number].hash != c->world.hash) {
			compare(c, number, from, t->choice);
		}
	}
	transition_retract(&c->world, t);
	return target;
}

static void expand_state(struct canonical_search *c, const struct stored *s)
{
	struct world *w = &c->world;
	struct expansion *x = &c->x;
	uint64_t behaviour;

	go_to(w, s);
	expand(w, x, NULL);
	graph_add_state(c->graph, w, canonical_hash(c->canonical, w),
			x->enabled);
	if (x->refused)
		note_violation(c, x->refused, s->number, NULL);
	behaviour = hash_expansion(x);
	for (unsigned i = 0; i < x->count; i++) {
		const struct transition *t = x->transition[i];
		uint64_t target = follow(c, s->number, t);

		if (t->violated)
			note_violation(c, t->violated, s->number, &t->choice);
		if (!is_vain(x, t))
			behaviour += hash_transition(t, target);
	}
	note_behaviour(c, s->number, behaviour, c->record[s->number].parent,
		       c->record[s->number].by);
	c->counts->states = c->graph->states;
	c->counts->transitions += x->count;
	c->counts->depth = c->record[s->number].depth;
}

static bool has_room(const struct canonical_search *c)
{
	size_t held = graph_bytes(c->graph) +
		      c->graph->states * sizeof *c->record +
		      seen_bytes(&c->compared) + c->world.local_states.used +
		      c->level.used + c->next.used +
		      canonical_bytes(c->canonical);

	return held < c->search->memory && !graph_full(c->graph) &&
	       !c->world.full && !canonical_full(c->canonical);
}

static void expand_level(struct canonical_search *c)
{
	size_t each = (stored_size() + 15) & ~(size_t)15;

	for (size_t at = 0; at < c->level.used; at += each) {
		expand_state(c, (struct stored *)(void *)(c->level.base + at));
		if (!has_room(c))
			workers_set(&c->workers->stop, STOP_MEMORY);
		if (workers_get(&c->workers->stop) != STOP_NOT)
			return;
	}
}

void canonical_search_run(struct search *s)
{
	struct canonical_search *c = malloc(sizeof *c);

	if (!c || !open_search(c, s)) {
		workers_set(&s->workers->stop, STOP_MEMORY);
		return;
	}
	c->record[0] = (struct record){ .hash = c->world.hash,
					.parent = NO_PARENT };
	put_off(c, 0);
	while (c->next.used && workers_get(&s->workers->stop) == STOP_NOT) {
		struct heap done = c->level;

		c->level = c->next;
		c->next = done;
		c->next.used = 0;
		expand_level(c);
	}
	canonical_close(c->canonical);
}
