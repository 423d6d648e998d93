/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/search.h"

#include "checker/trail.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* A state on the path from the root; its unexplored edges are new states. */
struct frame {
	size_t mark; /* of the heap, before its edges */
	struct edge **edge;
	unsigned count, next;
};

enum { LOOK_AT_SIZE = 16, EDGE_LIST = (MAX_EDGES + 2) * sizeof(struct edge *) };

struct walk {
	struct search *search;
	struct control *control;
	struct tally *tally;
	struct world world;
	struct expansion x;
	struct seen seen;
	struct trail trail; /* only if it shall be straight */
	struct heap heap;
	struct frame *frame;
	size_t frame_room, depth;
	struct choice *path; /* path[i] leads from frame i to frame i+1 */
	size_t prefix;      /* frames below this one belong to another worker */
	size_t shallow;     /* no frame below this one has edges to give */
	uint64_t next_look; /* at the size of the set, when we have so many */
};

static bool open_walk(struct walk *k, struct search *s, struct seen seen)
{
	memset(k, 0, sizeof *k);
	k->search = s;
	k->control = s->control;
	k->tally = &s->control->tally[s->worker];
	k->seen = seen;
	k->heap.size = s->memory;
	k->heap.base = mmap(NULL, k->heap.size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	k->frame_room = 1 << 12;
	k->frame = malloc(k->frame_room * sizeof *k->frame);
	k->path = malloc(MAX_DEPTH * sizeof *k->path);
	return k->heap.base != MAP_FAILED && k->frame && k->path &&
	       expansion_open(&k->x) &&
	       (!s->straight || trail_open(&k->trail)) &&
	       world_open(&k->world, s->question, s->memory);
}

static void note_violation(struct walk *k, unsigned refused, size_t length)
{
	unsigned fresh = refused & ~control_get(&k->control->violated);

	if (fresh)
		control_violated(k->control, fresh, k->path, length);
}

/*
 * Cycles are found by a search that takes an edge as seen when it follows it,
 * not when it sees it: then all that it finds seen is finished, or on the path
 * that leads here.
 */
static bool leads_back(struct walk *k, const struct edge *e)
{
	if (!trail_has(&k->trail, e->hash))
		return false;
	control_set(&k->control->stop, STOP_CYCLE);
	return true;
}

static bool is_new(struct walk *k, const struct edge *e)
{
	if (k->search->graph)
		return graph_edge(k->search->graph, e);
	if (k->search->straight)
		return !leads_back(k, e) && !seen_has(&k->seen, e->hash);
	return seen_add(&k->seen, e->hash);
}

/* Now that it would be followed, which may be long after. */
static bool is_still_new(struct walk *k, const struct edge *e)
{
	if (!k->search->straight)
		return true;
	if (leads_back(k, e) || !seen_add(&k->seen, e->hash))
		return false;
	k->tally->states++;
	if (!trail_push(&k->trail, e->hash))
		control_set(&k->control->stop, STOP_MEMORY);
	return true;
}

/* Keep the edges that lead to states nobody has seen. */
static void keep_new(struct walk *k, struct frame *f)
{
	struct expansion *x = &k->x;
	unsigned count = 0;

	for (unsigned i = 0; i < x->count; i++) {
		struct edge *e = x->edge[i];

		if (e->violated) {
			k->path[k->depth] = e->choice;
			note_violation(k, e->violated, k->depth + 1);
		}
		if (expand_beyond(e) && is_new(k, e))
			x->edge[count++] = e;
	}
	f->mark = k->heap.used;
	f->edge = heap_take(&k->heap, count * sizeof *f->edge);
	f->count = count;
	f->next = 0;
	for (unsigned i = 0; i < count; i++)
		f->edge[i] = edge_copy(x->edge[i], &k->heap);
	if (!k->search->straight)
		k->tally->states += count;
	k->tally->transitions += x->count;
}

/*
 * What this worker holds, and its share of what all hold.  Everything is
 * reserved as large as the budget and costs what is touched of it.
 */
static size_t bytes_held(const struct walk *k)
{
	size_t common = k->search->graph
				? graph_bytes(k->search->graph)
				: seen_bytes(&k->seen) / k->control->workers;

	return common + k->heap.used + k->world.locals.used +
	       (k->search->straight ? trail_bytes(&k->trail) : 0) +
	       k->depth * sizeof *k->frame;
}

static bool grow_if_needed(struct walk *k)
{
	struct control *c = k->control;

	if (bytes_held(k) > k->search->memory)
		control_set(&c->stop, STOP_MEMORY);
	if (k->search->graph) {
		if (graph_full(k->search->graph))
			control_set(&c->stop, STOP_MEMORY);
	} else if (k->tally->states >= k->next_look) {
		k->next_look = k->tally->states + LOOK_AT_SIZE;
		if (seen_needs_growth(&k->seen, control_states(c)))
			control_set(&c->growing, 1);
	}
	if (control_get(&c->growing))
		control_grow(c, &k->seen);
	if (sim.vain && !k->search->graph && !sim.algorithm->retries &&
	    (k->search->question->asked & (NO_DEADLOCK | NO_STARVATION))) {
		snprintf(c->message, sizeof c->message,
			 "a poll of %s %s: its table must say .retries, so "
			 "that cycles are looked for",
			 sim.algorithm->name, sim.vain);
		control_set(&c->stop, STOP_FAILED);
	}
	if (k->world.full)
		control_set(&c->stop, STOP_MEMORY);
	if (k->depth + 2 >= MAX_DEPTH)
		control_set(&c->stop, STOP_DEPTH);
	return control_get(&c->stop) == STOP_NOT;
}

static bool visit(struct walk *k, uint32_t overtaken)
{
	if (k->depth == k->frame_room) {
		struct frame *more;

		k->frame_room *= 2;
		more = realloc(k->frame, k->frame_room * sizeof *more);
		if (!more) {
			control_set(&k->control->stop, STOP_MEMORY);
			return false;
		}
		k->frame = more;
	}
	expand(&k->world, &k->x, k->search->graph ? NULL : &k->seen, overtaken);
	if (k->search->graph)
		graph_state(k->search->graph, &k->world, k->x.enabled);
	if (k->x.refused)
		note_violation(k, k->x.refused, k->depth);
	if (k->heap.used + k->x.room.used + EDGE_LIST > k->heap.size) {
		control_set(&k->control->stop, STOP_MEMORY);
		return false;
	}
	keep_new(k, &k->frame[k->depth]);
	if (k->depth > k->tally->depth)
		k->tally->depth = k->depth;
	if (k->world.worst_remote > k->tally->remote)
		k->tally->remote = k->world.worst_remote;
	if (k->world.remote_wait >= 0)
		k->tally->remote_wait = k->world.remote_wait + 1;
	return grow_if_needed(k);
}

/* Hand the unexplored branch nearest to the root to whoever asked. */
static void give_branch(struct walk *k)
{
	while (k->shallow < k->depth) {
		struct frame *f = &k->frame[k->shallow];

		if (f->next < f->count) {
			struct edge *e = f->edge[--f->count];
			struct choice kept = k->path[k->shallow];

			k->path[k->shallow] = e->choice;
			control_give(k->control, k->path, k->shallow + 1);
			k->path[k->shallow] = kept;
			return;
		}
		k->shallow++;
	}
	control_give(k->control, k->path, 0);
}

/* From the state of frame `prefix`, which is expanded, to the end. */
static void walk(struct walk *k)
{
	while (control_get(&k->control->stop) == STOP_NOT) {
		struct frame *f = &k->frame[k->depth];

		if (f->next < f->count) {
			struct edge *e = f->edge[f->next++];

			if (!is_still_new(k, e))
				continue;
			k->path[k->depth++] = e->choice;
			world_apply(&k->world, e);
			if (!visit(k, e->overtaken))
				return;
		} else {
			k->heap.used = f->mark;
			if (k->depth == k->prefix)
				return;
			f = &k->frame[--k->depth];
			if (k->search->straight)
				trail_pop(&k->trail);
			world_retract(&k->world, f->edge[f->next - 1]);
			if (k->shallow > k->depth)
				k->shallow = k->depth;
		}
		if (control_wanted(k->control))
			give_branch(k);
	}
}

/* Stand where the schedule leads; the last edge tells whom it overtook. */
static uint32_t replay(struct walk *k, size_t length)
{
	uint32_t overtaken = 0;

	world_reset(&k->world);
	k->heap.used = 0;
	for (size_t i = 0; i < length; i++) {
		struct edge *e;

		e = world_try(&k->world, k->path[i], &k->heap);
		if (!e) {
			control_set(&k->control->stop, STOP_FAILED);
			return 0;
		}
		world_apply(&k->world, e);
		overtaken = e->overtaken;
	}
	return overtaken;
}

static void explore_from(struct walk *k, size_t length)
{
	uint32_t overtaken = replay(k, length);

	k->depth = k->prefix = k->shallow = length;
	while (k->frame_room <= length) {
		k->frame_room *= 2;
		free(k->frame);
		k->frame = malloc(k->frame_room * sizeof *k->frame);
		if (!k->frame) {
			control_set(&k->control->stop, STOP_MEMORY);
			return;
		}
	}
	if (visit(k, overtaken))
		walk(k);
}

void search_run(struct search *s, struct seen seen)
{
	struct walk *k = malloc(sizeof *k);
	size_t length;

	if (!k || !open_walk(k, s, seen)) {
		control_set(&s->control->stop, STOP_MEMORY);
		return;
	}
	if (s->worker == 0) {
		if (!s->graph)
			seen_add(&k->seen, k->world.hash);
		if (s->straight && !trail_push(&k->trail, k->world.hash))
			control_set(&s->control->stop, STOP_MEMORY);
		k->tally->states++;
		explore_from(k, 0);
	}
	while (control_ask(s->control, &k->seen, k->path, &length))
		explore_from(k, length);
	munmap(k->heap.base, k->heap.size);
	if (s->straight)
		trail_close(&k->trail);
}
