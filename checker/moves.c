/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/moves.h"

/* A step that depends on one word only may be looked up. */
static bool is_repeatable(const struct world *w, struct choice c)
{
	return w->lazy && !sim.record &&
	       (c.act == ACT_STEP ||
		(c.act == ACT_START && world_beginnings(w) == 1));
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

struct move *moves_find(struct world *w, struct choice c)
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

void moves_remember(struct world *w, struct choice c, struct local *after,
		    const struct edge *e)
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
