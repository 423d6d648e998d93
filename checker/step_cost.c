/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/step_cost.h"

#include <stdlib.h>

bool step_cost_open(struct step_cost *c)
{
	c->copies = calloc(sim.word_count + 1, sizeof *c->copies);
	return c->copies != NULL;
}

void step_cost_close(struct step_cost *c)
{
	free(c->copies);
}

static bool only_reads(enum step_kind kind)
{
	return kind == STEP_READ || kind == STEP_LOOK || kind == STEP_AWAIT ||
	       kind == STEP_SAFE_READ || kind == STEP_AWAIT_SAFE;
}

/* Returns whether the access is remote.  `copies` belongs to its word. */
static bool note_in_cache(uint16_t *copies, unsigned p, const struct step *made,
			  bool is_smart)
{
	uint16_t mine = (uint16_t)(1u << p);
	bool is_remote = true;

	if (only_reads((enum step_kind)made->kind)) {
		is_remote = !(*copies & mine);
		*copies |= mine;
	} else if (made->kind != STEP_CAS || made->result || !is_smart) {
		*copies = 0;
	}
	return is_remote;
}

void step_cost_note(struct step_cost *c, struct lab_step *s, unsigned p,
		    const struct step *made)
{
	size_t word;

	if (!made->word || made->kind == STEP_WAKE ||
	    made->kind == STEP_SAFE_BEGIN)
		return;
	word = sim_index(made->word);
	s->has_cost = true;
	s->remote_cc = note_in_cache(&c->copies[word][0], p, made, false);
	s->remote_smart = note_in_cache(&c->copies[word][1], p, made, true);
	s->remote_dsm = sim_word_home(word) != (int)p;
}
