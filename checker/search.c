/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/search.h"

#include "checker/collisions.h"
#include "checker/expand.h"
#include "checker/path_set.h"

#include <stdio.h>
#include <stdlib.h>

/* A state on the path from the root, with its transitions to new states. */
struct frame {
	size_t mark; /* heap.used before its transitions were stored */
	struct transition **transition;
	unsigned count, next;
};

enum {
	CHECK_EVERY = 16,
	TRANSITION_LIST = (MAX_TRANSITIONS + 2) * sizeof(struct transition *)
};

struct walk {
	struct search *search;
	struct workers *workers;
	struct worker_counts *counts;
	struct world world;
	struct expansion x;
	struct seen seen;
	struct path_set path_set;     /* only with search->acyclic */
	struct collisions collisions; /* only with question->find_collisions */
	struct heap heap;
	struct frame *frame;
	size_t frame_room, depth;
	struct choice *path; /* path[i] leads from frame i to frame i+1 */
	size_t prefix;       /* frames below this belong to another worker */
	size_t shallow;      /* no frame below this has branches to give */
	uint64_t next_check; /* number of states at which to check for growth */
};

static bool open_walk(struct walk *k, struct search *s, struct seen seen)
{
	memset(k, 0, sizeof *k);
	k->search = s;
	k->workers = s->workers;
	k->counts = &s->workers->counts[s->worker];
	k->seen = seen;
	k->frame_room = 1 << 12;
	k->frame = malloc(k->frame_room * sizeof *k->frame);
	k->path = malloc(MAX_DEPTH * sizeof *k->path);
	return heap_open(&k->heap, s->memory) && k->frame && k->path &&
	       expand_open(&k->x) &&
	       (!s->acyclic || path_set_open(&k->path_set)) &&
	       (!s->question->find_collisions ||
		collisions_open(&k->collisions)) &&
	       world_open(&k->world, s->question, s->memory);
}

static void note_violation(struct walk *k, unsigned refused, size_t length)
{
	unsigned fresh = refused & ~workers_get(&k->workers->violated);

	if (fresh)
		workers_note_violation(k->workers, fresh, k->path, length);
}

/*
 * To find cycles, the search adds a state to the set when it follows a
 * transition to that state, not when it finds the transition.  Then every state
 * in the set is either completely explored or on the current path.
 */
static bool leads_back(struct walk *k, const struct transition *t)
{
	if (!path_set_has(&k->path_set, t->hash))
		return false;
	workers_set(&k->workers->stop, STOP_CYCLE);
	return true;
}

/* Whether the graph of the search distinguishes more states than the search
 * counts.  Then the set of states serves to count them. */
static bool counts_apart(const struct walk *k)
{
	return k->search->graph && sim.algorithm->naps;
}

/* The fingerprints, in the graph, of the current state and of the state after
 * the transition. */
static uint64_t vertex(const struct walk *k)
{
	return k->world.hash + world_pass_hash(&k->world);
}

static uint64_t vertex_after(const struct walk *k, const struct transition *t)
{
	uint64_t pass_hash = world_pass_hash(&k->world);

	if (sim.algorithm->naps)
		pass_hash += t->after->pass_hash - t->before->pass_hash;
	return t->hash + pass_hash;
}

static bool is_new(struct walk *k, const struct transition *t)
{
	struct graph *g = k->search->graph;

	if (counts_apart(k))
		k->counts->states += seen_add(&k->seen, t->hash);
	if (g) {
		const uint64_t states = g->states;

		return graph_add_edge(g, t->choice, vertex_after(k, t)) ==
		       states;
	}
	if (k->search->acyclic)
		return !leads_back(k, t) && !seen_has(&k->seen, t->hash);
	return seen_add(&k->seen, t->hash);
}

/* Whether t still leads to a new state when the search follows t: the target
 * may have been explored since the search found t. */
static bool is_still_new(struct walk *k, const struct transition *t)
{
	if (!k->search->acyclic)
		return true;
	if (leads_back(k, t) || !seen_add(&k->seen, t->hash))
		return false;
	k->counts->states++;
	if (!path_set_push(&k->path_set, t->hash))
		workers_set(&k->workers->stop, STOP_MEMORY);
	return true;
}

/* Stop if the current state differs from a state with the same fingerprint. */
static void compare_state(struct walk *k)
{
	if (!collisions_add(&k->collisions, &k->world)) {
		snprintf(k->workers->message, sizeof k->workers->message,
			 "two different states have the same fingerprint");
		workers_set(&k->workers->stop, STOP_FAILED);
	}
	if (k->collisions.no_memory)
		workers_set(&k->workers->stop, STOP_MEMORY);
}

static void compare_target(struct walk *k, const struct transition *t)
{
	transition_apply(&k->world, t);
	compare_state(k);
	transition_retract(&k->world, t);
}

/* Store the transitions that lead to new states. */
static void keep_new(struct walk *k, struct frame *f)
{
	struct expansion *x = &k->x;
	unsigned count = 0;

	for (unsigned i = 0; i < x->count; i++) {
		struct transition *t = x->transition[i];

		if (t->violated) {
			k->path[k->depth] = t->choice;
			note_violation(k, t->violated, k->depth + 1);
		}
		if (!expand_beyond(t))
			continue;
		if (k->search->question->find_collisions)
			compare_target(k, t);
		if (is_new(k, t))
			x->transition[count++] = t;
	}
	f->mark = k->heap.used;
	f->transition = heap_take(&k->heap, count * sizeof *f->transition);
	f->count = count;
	f->next = 0;
	for (unsigned i = 0; i < count; i++)
		f->transition[i] = transition_copy(x->transition[i], &k->heap);
	if (!k->search->acyclic && !counts_apart(k))
		k->counts->states += count;
	k->counts->transitions += x->count;
}

/*
 * The bytes that this worker uses: its own memory, the graph, and its share of
 * the set of states.  Tables are reserved in the full size of the budget,
 * but only touched pages count.
 */
static size_t bytes_held(const struct walk *k)
{
	size_t common = k->search->graph ? graph_bytes(k->search->graph) : 0;

	if (!k->search->graph || counts_apart(k))
		common += seen_bytes(&k->seen) / k->workers->count;

	return common + k->heap.used + k->world.local_states.used +
	       (k->search->acyclic ? path_set_bytes(&k->path_set) : 0) +
	       k->depth * sizeof *k->frame;
}

static bool grow_if_needed(struct walk *k)
{
	struct workers *w = k->workers;

	if (bytes_held(k) > k->search->memory)
		workers_set(&w->stop, STOP_MEMORY);
	if (k->search->graph && graph_full(k->search->graph))
		workers_set(&w->stop, STOP_MEMORY);
	if ((!k->search->graph || counts_apart(k)) &&
	    k->counts->states >= k->next_check) {
		k->next_check = k->counts->states + CHECK_EVERY;
		if (seen_needs_growth(&k->seen, workers_states(w)))
			workers_set(&w->growing, 1);
	}
	if (workers_get(&w->growing))
		workers_grow_seen(w, &k->seen);
	if (sim.failed_poll && !k->search->graph && !sim.algorithm->retries &&
	    (k->search->question->asked & CYCLE_PROPERTIES)) {
		snprintf(w->message, sizeof w->message,
			 "a poll of %s %s: set .retries in its table, so that "
			 "the checker searches for cycles",
			 sim.algorithm->name, sim.failed_poll);
		workers_set(&w->stop, STOP_FAILED);
	}
	if (k->world.full)
		workers_set(&w->stop, STOP_MEMORY);
	if (k->world.wide)
		workers_set(&w->stop, STOP_WIDTH);
	if (k->depth + 2 >= MAX_DEPTH)
		workers_set(&w->stop, STOP_DEPTH);
	return workers_get(&w->stop) == STOP_NOT;
}

static bool visit(struct walk *k)
{
	if (k->depth == k->frame_room) {
		struct frame *more;

		k->frame_room *= 2;
		more = realloc(k->frame, k->frame_room * sizeof *more);
		if (!more) {
			workers_set(&k->workers->stop, STOP_MEMORY);
			return false;
		}
		k->frame = more;
	}
	expand(&k->world, &k->x, k->search->graph ? NULL : &k->seen);
	if (k->search->graph)
		graph_add_state(k->search->graph, &k->world, vertex(k),
				k->x.enabled);
	if (k->x.refused)
		note_violation(k, k->x.refused, k->depth);
	if (k->heap.used + k->x.room.used + TRANSITION_LIST > k->heap.size) {
		workers_set(&k->workers->stop, STOP_MEMORY);
		return false;
	}
	keep_new(k, &k->frame[k->depth]);
	if (k->depth > k->counts->depth)
		k->counts->depth = k->depth;
	if (k->world.worst_remote > k->counts->remote)
		k->counts->remote = k->world.worst_remote;
	if (k->world.remote_wait >= 0)
		k->counts->remote_wait = k->world.remote_wait + 1;
	return grow_if_needed(k);
}

/* Hand over the unexplored branch nearest to the root. */
static void give_branch(struct walk *k)
{
	while (k->shallow < k->depth) {
		struct frame *f = &k->frame[k->shallow];

		if (f->next < f->count) {
			struct transition *t = f->transition[--f->count];
			struct choice kept = k->path[k->shallow];

			k->path[k->shallow] = t->choice;
			workers_give_work(k->workers, k->path, k->shallow + 1);
			k->path[k->shallow] = kept;
			return;
		}
		k->shallow++;
	}
	workers_give_work(k->workers, k->path, 0);
}

/* Explore everything below the state of frame `prefix`.  That state is already
 * expanded. */
static void walk(struct walk *k)
{
	while (workers_get(&k->workers->stop) == STOP_NOT) {
		struct frame *f = &k->frame[k->depth];

		if (f->next < f->count) {
			struct transition *t = f->transition[f->next++];

			if (!is_still_new(k, t))
				continue;
			k->path[k->depth++] = t->choice;
			transition_apply(&k->world, t);
			if (!visit(k))
				return;
		} else {
			k->heap.used = f->mark;
			if (k->depth == k->prefix)
				return;
			f = &k->frame[--k->depth];
			if (k->search->acyclic)
				path_set_pop(&k->path_set);
			transition_retract(&k->world,
					   f->transition[f->next - 1]);
			if (k->shallow > k->depth)
				k->shallow = k->depth;
		}
		if (workers_want_work(k->workers))
			give_branch(k);
	}
}

/* Go to the state to which the first `length` choices of k->path lead. */
static void replay(struct walk *k, size_t length)
{
	world_reset(&k->world);
	k->heap.used = 0;
	for (size_t i = 0; i < length; i++) {
		struct transition *t;

		t = transition_try(&k->world, k->path[i], &k->heap);
		if (!t) {
			workers_set(&k->workers->stop, STOP_FAILED);
			return;
		}
		transition_apply(&k->world, t);
	}
}

static void explore_from(struct walk *k, size_t length)
{
	replay(k, length);
	k->depth = k->prefix = k->shallow = length;
	while (k->frame_room <= length) {
		k->frame_room *= 2;
		free(k->frame);
		k->frame = malloc(k->frame_room * sizeof *k->frame);
		if (!k->frame) {
			workers_set(&k->workers->stop, STOP_MEMORY);
			return;
		}
	}
	if (visit(k))
		walk(k);
}

void search_run(struct search *s, struct seen seen)
{
	struct walk *k = malloc(sizeof *k);
	size_t length;

	if (!k || !open_walk(k, s, seen)) {
		workers_set(&s->workers->stop, STOP_MEMORY);
		return;
	}
	if (s->worker == 0) {
		if (!s->graph || counts_apart(k))
			seen_add(&k->seen, k->world.hash);
		if (s->acyclic && !path_set_push(&k->path_set, k->world.hash))
			workers_set(&s->workers->stop, STOP_MEMORY);
		if (s->question->find_collisions)
			compare_state(k);
		k->counts->states++;
		explore_from(k, 0);
	}
	while (workers_take_work(s->workers, &k->seen, k->path, &length))
		explore_from(k, length);
	heap_close(&k->heap);
	if (s->acyclic)
		path_set_close(&k->path_set);
	if (s->question->find_collisions)
		collisions_close(&k->collisions);
}
