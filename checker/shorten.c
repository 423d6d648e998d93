/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/shorten.h"

#include "checker/clock.h"
#include "checker/expand.h"
#include "checker/history.h"

#include <stdlib.h>

/* The transition by which a state was reached first. */
struct origin {
	uint32_t parent;
	struct choice by;
};

struct level {
	struct heap states;
	uint32_t count;
};

struct breadth {
	struct world world;
	struct expansion x;
	struct seen seen;
	struct origin *origin;
	uint64_t states, most;
	struct level level[2];
	unsigned property;
	double deadline;
};

/* A stored whole state; the words follow, then the history. */
struct stored {
	uint32_t number;
	uint64_t hash, monitor_hash;
	struct local_state *current[MAX_EXHAUSTIVE_N];
	struct monitor monitor;
	size_t size;
};

static void store(struct breadth *b, struct level *to, uint32_t number)
{
	struct world *w = &b->world;
	size_t mark = to->states.used;
	struct stored *k = heap_take(&to->states, sizeof *k);

	k->number = number;
	k->hash = w->hash;
	k->monitor_hash = w->monitor_hash;
	memcpy(k->current, w->current, sizeof k->current);
	k->monitor = w->monitor;
	memcpy(heap_take(&to->states, sim.all_words * sizeof *sim.words),
	       sim.words, sim.all_words * sizeof *sim.words);
	if (w->history)
		history_save(w->history,
			     heap_take(&to->states, history_size(w->history)));
	k->size = to->states.used - mark;
	to->count++;
}

/* Go to the state stored at `at`; returns where the next one is stored. */
static size_t load(struct breadth *b, struct level *from, size_t at)
{
	struct world *w = &b->world;
	struct heap h = { from->states.base, at, from->states.size };
	struct stored *k = heap_take(&h, sizeof *k);

	w->hash = k->hash;
	w->monitor_hash = k->monitor_hash;
	memcpy(w->current, k->current, sizeof k->current);
	w->monitor = k->monitor;
	memcpy(sim.words, heap_take(&h, sim.all_words * sizeof *sim.words),
	       sim.all_words * sizeof *sim.words);
	for (unsigned p = 0; p < w->n && !w->lazy; p++)
		world_load(w, p);
	if (w->history)
		history_restore(w->history, heap_take(&h, 0));
	return at + k->size;
}

static bool open_breadth(struct breadth *b, const struct question *q,
			 size_t memory)
{
	memset(b, 0, sizeof *b);
	b->most = memory / 64;
	b->origin = heap_reserve(b->most * sizeof *b->origin);
	return b->origin && heap_open(&b->level[0].states, memory / 4) &&
	       heap_open(&b->level[1].states, memory / 4) &&
	       seen_open(&b->seen, memory / 4, false) && expand_open(&b->x) &&
	       world_open(&b->world, q, memory / 8);
}

static void write_path(struct breadth *b, uint32_t number,
		       const struct choice *last, struct schedule *out)
{
	uint32_t length = last ? 1 : 0;

	for (uint32_t i = number; i; i = b->origin[i].parent)
		length++;
	out->length = length;
	if (last)
		out->choice[--length] = *last;
	for (uint32_t i = number; i; i = b->origin[i].parent)
		out->choice[--length] = b->origin[i].by;
}

/* Expand the current state, whose number is `number`.  Returns true if the
 * state or one of its transitions violates the property. */
static bool expand_current(struct breadth *b, struct level *to, uint32_t number,
			   struct schedule *out)
{
	expand(&b->world, &b->x, &b->seen);
	if (b->x.refused & b->property) {
		write_path(b, number, NULL, out);
		return true;
	}
	for (unsigned i = 0; i < b->x.count; i++) {
		struct transition *t = b->x.transition[i];

		if (t->violated & b->property) {
			write_path(b, number, &t->choice, out);
			return true;
		}
		if (!expand_beyond(t) || !seen_add(&b->seen, t->hash))
			continue;
		b->origin[++b->states] = (struct origin){ number, t->choice };
		transition_apply(&b->world, t);
		store(b, to, (uint32_t)b->states);
		transition_retract(&b->world, t);
	}
	return false;
}

static bool room_left(struct breadth *b, const struct level *to)
{
	enum { A_STATE = 1 << 20 };

	if (seen_needs_growth(&b->seen, b->states + MAX_TRANSITIONS) &&
	    !seen_grow(&b->seen))
		return false;
	return !b->world.full && !b->world.wide &&
	       b->states + MAX_TRANSITIONS < b->most &&
	       to->states.used + A_STATE < to->states.size;
}

static bool breadth_first(struct breadth *b, struct schedule *out)
{
	struct level *now = &b->level[0], *next = &b->level[1];

	seen_add(&b->seen, b->world.hash);
	store(b, now, 0);
	while (now->count) {
		size_t at = 0;

		for (uint32_t i = 0; i < now->count; i++) {
			struct stored *k =
				(struct stored *)(void *)(now->states.base +
							  at);
			uint32_t number = k->number;

			at = load(b, now, at);
			if (expand_current(b, next, number, out))
				return true;
			if (!room_left(b, next) ||
			    ((i & 255) == 0 && clock_now() > b->deadline))
				return false;
		}
		now->states.used = now->count = 0;
		struct level *swap = now;
		now = next;
		next = swap;
	}
	return false;
}

/*
 * Run a schedule, skipping choices that cannot be made.  Returns the number of
 * choices made up to the violation, or 0 if there was no violation.
 */
static uint32_t run_through(struct breadth *b, const struct choice *path,
			    uint32_t length, struct choice *made)
{
	struct world *w = &b->world;
	uint32_t count = 0;

	world_reset(w);
	for (uint32_t i = 0; i <= length; i++) {
		struct transition *taken = NULL;

		expand(w, &b->x, NULL);
		if (b->x.refused & b->property)
			return count ? count : 1;
		for (unsigned j = 0; i < length && j < b->x.count; j++)
			if (memcmp(&b->x.transition[j]->choice, &path[i],
				   sizeof *path) == 0)
				taken = b->x.transition[j];
		if (!taken)
			continue;
		made[count++] = taken->choice;
		if (taken->violated & b->property)
			return count;
		transition_apply(w, taken);
	}
	return 0;
}

/* Leave out pieces of the schedule, at first large and then small ones,
 * wherever the rest still violates the property. */
static void leave_out(struct breadth *b, struct schedule *out)
{
	uint32_t piece = out->length / 2;
	struct choice *attempt = malloc((out->length + 1) * sizeof *attempt);
	struct choice *made = malloc((out->length + 1) * sizeof *made);

	while (piece && attempt && made && clock_now() < b->deadline) {
		bool shorter = false;

		for (uint32_t at = 0; at + piece <= out->length;) {
			uint32_t rest = out->length - at - piece, length;

			memcpy(attempt, out->choice, at * sizeof *attempt);
			memcpy(attempt + at, out->choice + at + piece,
			       rest * sizeof *attempt);
			length = run_through(b, attempt, at + rest, made);
			if (length && length < out->length) {
				memcpy(out->choice, made,
				       length * sizeof *made);
				out->length = length;
				shorter = true;
			} else {
				at += piece;
			}
			if (clock_now() > b->deadline)
				break;
		}
		if (!shorter || piece > out->length)
			piece /= 2;
	}
	free(attempt);
	free(made);
}

void shorten(const struct question *q, struct workers *workers,
	     unsigned property, size_t memory, double seconds)
{
	struct breadth *b = malloc(sizeof *b);
	struct schedule *path = &workers->found;

	if (!b || !open_breadth(b, q, memory))
		return;
	b->property = property;
	b->deadline = clock_now() + seconds;
	if (breadth_first(b, path))
		return;
	b->deadline = clock_now() + seconds;
	leave_out(b, path);
}
