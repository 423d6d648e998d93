/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/simulated/meter.h"

#include "memory/simulated/arena.h"

#include <stdlib.h>
#include <string.h>

static struct {
	uint64_t *copies; /* for each word one bit a process */
	size_t row;       /* words of bits for each */
} meter;

bool meter_open(void)
{
	meter.row = (sim.n + 63) / 64;
	meter.copies = calloc(sim.word_count + 1,
			      meter.row * sizeof *meter.copies);
	return meter.copies != NULL;
}

void meter_close(void)
{
	free(meter.copies);
	meter.copies = NULL;
}

static bool has_copy(unsigned p, size_t word)
{
	if (sim.tracked >= 0)
		return sim.words[sim.copies + word / 64].value >> word % 64 & 1;
	return meter.copies[word * meter.row + p / 64] >> p % 64 & 1;
}

static void give_copy(unsigned p, size_t word)
{
	size_t at = sim.copies + word / 64;

	if (sim.tracked >= 0)
		sim_change(at, sim.words[at].value | UINT64_C(1) << word % 64);
	else
		meter.copies[word * meter.row + p / 64] |= UINT64_C(1)
							   << p % 64;
}

static void invalidate(size_t word)
{
	size_t at = sim.copies + word / 64;
	uint64_t bit = UINT64_C(1) << word % 64;

	if (sim.tracked < 0)
		memset(meter.copies + word * meter.row, 0,
		       meter.row * sizeof *meter.copies);
	else if (sim.words[at].value & bit)
		sim_change(at, sim.words[at].value & ~bit);
}

static bool only_reads(enum step_kind kind)
{
	return kind == STEP_READ || kind == STEP_LOOK || kind == STEP_AWAIT ||
	       kind == STEP_SAFE_READ || kind == STEP_AWAIT_SAFE;
}

static unsigned cost_cc(unsigned p, size_t word, enum step_kind kind,
			bool changes)
{
	bool mine = sim.tracked < 0 || (int)p == sim.tracked;

	if (only_reads(kind)) {
		if (!mine || has_copy(p, word))
			return 0;
		give_copy(p, word);
		return 1;
	}
	if (changes || (kind == STEP_CAS && !sim.smart_cache))
		invalidate(word);
	return 1;
}

void meter_access(unsigned p, const struct step *step, bool changes)
{
	size_t word = step->word ? sim_index(step->word) : 0;
	struct actor *a = sim.actor[p];
	unsigned cost;

	/* Beginning and end of a safe write are one access; wakes are none. */
	if (step->kind == STEP_WAKE || step->kind == STEP_SAFE_BEGIN ||
	    !step->word)
		return;
	cost = sim.cost == COST_CC
		       ? cost_cc(p, word, (enum step_kind)step->kind,
				 changes)
		       : sim_word_home(word) != (int)p;
	/* Who waits for ever may come to the end of the counter: it stays. */
	if ((sim.tracked < 0 || (int)p == sim.tracked) &&
	    a->remote + cost <= UINT16_MAX)
		a->remote = (uint16_t)(a->remote + cost);
}

long meter_remote_wait(unsigned p)
{
	const struct errand *e = &sim.errand[p];

	if (sim.cost != COST_DSM)
		return -1;
	for (uint32_t i = 0; i < e->watch_count; i++)
		if (sim_word_home(e->watched[i].word) != (int)p)
			return (long)e->watched[i].word;
	return -1;
}
