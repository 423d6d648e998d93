/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/move_cache.h"

/* Only a step that depends on at most one word can be looked up. */
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

/* A hash of the sleeping processes and the words that they sleep on: the effect
 * of a wake depends on these. */
static uint64_t sleepers(const struct world *w)
{
	uint64_t asleep = sim.words[sim.sleeping].value, h = 0;

	for (unsigned q = 0; asleep; q++, asleep >>= 1)
		if (asleep & 1)
			h += hash_mix(w->current[q]->hash + q, hash_keys[4]);
	return h;
}

/* A number that represents everything, besides the local state, on which a step
 * that touches `word` depends. */
static uint64_t value_found(const struct world *w, uint32_t word)
{
	uint64_t value = 0;

	if (word != TOUCHES_NOTHING) {
		value = sim.words[word].value;
		if (sim.copies > sim.flux && sim_in_flux(word))
			value += hash_keys[5];
	}
	return sim.wakes_are_steps ? value + sleepers(w) : value;
}

const struct move *move_cache_find(struct world *w, struct choice c)
{
	const struct local_state *s = w->current[c.process];
	uint64_t value;
	struct move *m;

	if (s->touches == TOUCHES_UNKNOWN || !is_repeatable(w, c))
		return NULL;
	value = value_found(w, s->touches);
	m = local_states_move(&w->local_states, s, value, code_of(c));
	return m->before == s && m->value == value && m->choice == code_of(c)
		       ? m
		       : NULL;
}

void move_cache_remember(struct world *w, struct choice c,
			 struct local_state *after,
			 const struct word_change *change, unsigned count)
{
	struct local_state *s = w->current[c.process];
	uint64_t value;
	struct move *m;

	if (!is_repeatable(w, c) || sim.touched == TOUCHES_UNKNOWN ||
	    count > MOVE_CHANGES)
		return;
	/* Whether a process falls asleep after a pass depends on every word
	 * that the pass read. */
	if (sim.wakes_are_steps && after && after->kind == STEP_SLEEP)
		return;
	s->touches = sim.touched;
	value = value_found(w, s->touches);
	m = local_states_move(&w->local_states, s, value, code_of(c));
	*m = (struct move){ .before = s,
			    .value = value,
			    .after = after,
			    .choice = code_of(c),
			    .change_count = (uint16_t)count };
	for (unsigned i = 0; i < count; i++) {
		m->word[i] = change[i].word;
		m->flipped[i] = change[i].old ^ change[i].new;
	}
}
