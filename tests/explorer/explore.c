/* SPDX-License-Identifier: BSD-2-Clause */
#include "explore.h"

#include "cycles.h"
#include "explanations.h"
#include "monitors.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct exploration {
	struct graph graph;
	void *known;   /* tree of struct known_state: the whole states */
	void *counted; /* tree of struct known_state: the counted states */
	struct finding finding;
};

struct known_state {
	struct state *state;
	uint32_t number;
};

static int compare(const void *a, const void *b)
{
	const struct known_state *x = a, *y = b;

	return memcmp(x->state, y->state, state_size());
}

static void *checked(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/* Returns the entry of the state in the tree.  If the tree has no equal state,
 * the state is added, and the tree then owns it. */
static struct known_state *add(void **tree, struct state *s, uint32_t number,
			       bool *is_new)
{
	struct known_state *e = checked(malloc(sizeof *e)), *found;

	*e = (struct known_state){ s, number };
	found = *(struct known_state **)checked(tsearch(e, tree, compare));
	*is_new = found == e;
	if (!*is_new)
		free(e);
	return found;
}

static void free_entry(void *entry)
{
	struct known_state *e = entry;

	free(e->state);
	free(e);
}

/*
 * Returns a copy of the state as the checker counts it.  The values that a pass
 * has read tell only whether another pass may read other values, so they are
 * not part of this copy.  For a process that naps, one bit remains; it says
 * that another pass before the end of the nap would be in vain.  During a pass,
 * this depends on whether the pass has named a word.  If the steps of a process
 * are counted, nothing is removed, because another pass would add to the count.
 * If wakes are steps, nothing is removed, because the words on which a process
 * sleeps are part of the state.
 */
static struct state *without_passes(const struct state *s)
{
	struct state *copy = state_copy(s);

	for (unsigned p = 0; p < program.n && !machine_wakes; p++) {
		struct member *m = &copy->member[p];
		bool must_nap = program.naps && m->watches && !m->always &&
				machine_is_between_passes(s, p);

		if (m->steps && m->steps != NOT_COUNTED)
			continue;
		if (!program.naps)
			m->named = 0;
		m->always = 0;
		m->watches = must_nap;
		memset(m->watch, 0, sizeof m->watch);
	}
	return copy;
}

/* Returns the number of the state.  The caller gives up ownership of s. */
static uint32_t number_of(struct exploration *x, struct state *s)
{
	struct graph *g = &x->graph;
	bool is_new;
	struct known_state *e = add(&x->known, s, g->count, &is_new);
	struct state *counted;

	if (!is_new) {
		free(s);
		return e->number;
	}
	if (g->count == g->room) {
		g->room = g->room ? 2 * g->room : 64;
		g->node = checked(realloc(g->node, g->room * sizeof *g->node));
	}
	g->node[g->count++] = (struct node){ .state = s };
	counted = without_passes(s);
	add(&x->counted, counted, 0, &is_new);
	if (is_new)
		x->finding.states++;
	else
		free(counted);
	return e->number;
}

static void add_edge(struct node *from, unsigned process, uint32_t to)
{
	/* The array grows when the number of edges is a power of two. */
	if ((from->edges & (from->edges - 1)) == 0)
		from->edge = checked(
			realloc(from->edge,
				(from->edges ? 2 * from->edges : 1) *
					sizeof *from->edge));
	from->edge[from->edges++] = (struct edge){ to, process };
}

/* fife: each process in the set `judged` must enter within solo_steps steps if
 * it runs alone. */
static unsigned check_alone(const struct state *s, unsigned judged)
{
	for (unsigned q = 0; q < program.n; q++)
		if ((judged >> q & 1) && program.bounds &&
		    !machine_enters_alone(s, q, program.solo_steps))
			return FIFE;
	return 0;
}

/* The search does not go on from a state after a transition that violates one
 * of these properties. */
static bool ends_search(unsigned refused)
{
	return refused & (BOUNDED_DOORWAY | BOUNDED_LEAVE | BOUNDED_ABORT |
			  BOUNDED_APPLY | LINEARIZABLE);
}

/* Make one transition.  Returns false if p is blocked. */
static bool follow(struct exploration *x, uint32_t from, unsigned p,
		   enum act act, unsigned variant)
{
	const struct state *before = x->graph.node[from].state;
	struct state *after = state_copy(before);
	struct events e;
	unsigned judged, refused;

	machine_move(after, p, act, variant, &e);
	if (e.blocked) {
		free(after);
		return false;
	}
	refused = monitors_observe(before, after, p, &e, &judged);
	x->finding.violated |= refused;
	if (ends_search(refused)) {
		free(after);
		return true;
	}
	x->finding.violated |= check_alone(after, judged);
	add_edge(&x->graph.node[from], p, number_of(x, after));
	return true;
}

/* Make all transitions of p.  Returns whether p is enabled. */
static bool follow_all(struct exploration *x, uint32_t from, unsigned p)
{
	bool enabled = false, blocked = false;

	for (enum act act = DO_START; act <= DO_DIE; act++) {
		const struct state *s = x->graph.node[from].state;
		unsigned count = machine_choices(s, p, act);

		for (unsigned v = 0; v < count; v++) {
			if (!follow(x, from, p, act, v))
				blocked = true;
			else if (act == DO_START || act == DO_STEP)
				enabled = true;
		}
	}
	if (enabled && !machine_wakes &&
	    machine_is_between_passes(x->graph.node[from].state, p))
		return machine_pass_helps(x->graph.node[from].state, p, false);
	return enabled && !blocked;
}

/* The processes that would proceed after the end of a nap. */
static unsigned find_nappers(const struct state *s, unsigned enabled)
{
	unsigned nappers = 0;

	for (unsigned p = 0; p < program.n && !machine_wakes; p++)
		if (!(enabled >> p & 1) && machine_nap_helps(s, p))
			nappers |= 1u << p;
	return nappers;
}

/* A nap ends only if all processes that can step may have crashed. */
static bool naps_end(const struct state *s, unsigned enabled)
{
	unsigned active = 0;

	for (unsigned p = 0; p < program.n; p++)
		active += (enabled >> p & 1) &&
			  s->member[p].phase != PHASE_REMAINDER &&
			  !machine_is_only_reading(s, p);
	return active <= program.crashes;
}

/* prompt-wake: unless a process has died or is about to make a wake-up, no
 * sleeping process would proceed if it looked now. */
static unsigned check_sleepers(const struct state *s)
{
	bool excused = s->deaths < program.deaths, late = false;

	for (unsigned p = 0; p < program.n; p++) {
		excused |= machine_is_waking(s, p);
		late |= s->member[p].asleep && machine_would_wake(s, p);
	}
	return late && !excused ? PROMPT_WAKE & monitors_asked() : 0;
}

static void visit(struct exploration *x, uint32_t number)
{
	unsigned enabled = 0, nappers;
	const struct state *s = x->graph.node[number].state;

	for (unsigned p = 0; p < program.n; p++)
		if (follow_all(x, number, p))
			enabled |= 1u << p;
	x->finding.violated |= check_sleepers(s);
	nappers = find_nappers(s, enabled);
	if (nappers && naps_end(s, enabled)) {
		for (unsigned p = 0; p < program.n; p++)
			if (nappers >> p & 1)
				follow(x, number, p, DO_NAP, 0);
		enabled |= nappers;
	}
	x->graph.node[number].enabled = enabled;
	x->finding.violated |= monitors_refused(s, enabled, nappers);
}

struct finding explore(bool wakes, uint32_t most_states)
{
	struct exploration x = { .known = NULL };

	explanations_overflow = machine_endless = false;
	machine_wakes = wakes;
	number_of(&x, state_first());
	for (uint32_t i = 0; i < x.graph.count && !x.finding.too_large; i++) {
		visit(&x, i);
		x.finding.too_large = x.graph.count > most_states ||
				      explanations_overflow || machine_endless;
	}
	if (!x.finding.too_large && !wakes)
		x.finding.violated |= cycles_refused(&x.graph);
	for (uint32_t i = 0; i < x.graph.count; i++)
		free(x.graph.node[i].edge);
	free(x.graph.node);
	tdestroy(x.known, free_entry);
	tdestroy(x.counted, free_entry);
	return x.finding;
}
