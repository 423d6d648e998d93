/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/simulated/meter.h"

#include "memory/simulated/arena.h"

#include <stdlib.h>
#include <string.h>

/*
 * Who has copies of a word: most words have few readers, many of them one, and
 * there may be millions of words.  So a word has one cell: up to four readers
 * as id+1 in 16 bits each, or CROWDED and the number of a row of bits.
 */
enum { FEW = 4 };
#define CROWDED (UINT64_C(0xffff) << 48)

static struct {
	uint64_t *cell;
	uint64_t *rows;    /* one bit a process */
	size_t row;        /* words of bits in each */
	size_t used, room; /* rows */
	size_t vacant;     /* a list of rows given back, ended by NO_ROW */
} meter;

#define NO_ROW SIZE_MAX

bool meter_open(void)
{
	meter.row = (sim.n + 63) / 64;
	meter.vacant = NO_ROW;
	meter.cell = calloc(sim.word_count + 1, sizeof *meter.cell);
	return meter.cell != NULL;
}

void meter_close(void)
{
	free(meter.cell);
	free(meter.rows);
	memset(&meter, 0, sizeof meter);
}

static uint64_t *row_of(uint64_t cell)
{
	return meter.rows + (uint32_t)cell * meter.row;
}

static bool more_rows(void)
{
	size_t room = meter.room ? 2 * meter.room : 64;
	uint64_t *rows = realloc(meter.rows, room * meter.row * sizeof *rows);

	if (!rows)
		return false;
	meter.rows = rows;
	meter.room = room;
	return true;
}

/* An empty row, or NO_ROW. */
static size_t take_row(void)
{
	size_t taken = meter.vacant;

	if (taken != NO_ROW) {
		meter.vacant = (size_t)*row_of(taken);
	} else {
		if (meter.used == meter.room && !more_rows())
			return NO_ROW;
		taken = meter.used++;
	}
	memset(row_of(taken), 0, meter.row * sizeof *meter.rows);
	return taken;
}

static void set_bit(uint64_t cell, unsigned p)
{
	row_of(cell)[p / 64] |= UINT64_C(1) << p % 64;
}

static bool noted(unsigned p, uint64_t cell)
{
	if (cell >= CROWDED)
		return row_of(cell)[p / 64] >> p % 64 & 1;
	for (; cell; cell >>= 16)
		if ((cell & 0xffff) == p + 1)
			return true;
	return false;
}

/* Without memory for a row the copy is lost: that costs more, not less. */
static void note(unsigned p, uint64_t *cell)
{
	size_t row;

	if (*cell >= CROWDED) {
		set_bit(*cell, p);
	} else if (*cell >> 16 * (FEW - 1) == 0) {
		*cell = *cell << 16 | (p + 1);
	} else if ((row = take_row()) != NO_ROW) {
		for (uint64_t few = *cell; few; few >>= 16)
			set_bit(row, (unsigned)(few & 0xffff) - 1);
		set_bit(row, p);
		*cell = CROWDED | row;
	}
}

static void forget(uint64_t *cell)
{
	if (*cell >= CROWDED) {
		*row_of(*cell) = meter.vacant;
		meter.vacant = (uint32_t)*cell;
	}
	*cell = 0;
}

static bool has_copy(unsigned p, size_t word)
{
	if (sim.tracked >= 0)
		return sim.words[sim.copies + word / 64].value >> word % 64 & 1;
	return noted(p, meter.cell[word]);
}

static void give_copy(unsigned p, size_t word)
{
	size_t at = sim.copies + word / 64;

	if (sim.tracked >= 0)
		sim_change(at, sim.words[at].value | UINT64_C(1) << word % 64);
	else
		note(p, &meter.cell[word]);
}

static void invalidate(size_t word)
{
	size_t at = sim.copies + word / 64;
	uint64_t bit = UINT64_C(1) << word % 64;

	if (sim.tracked < 0)
		forget(&meter.cell[word]);
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
		       ? cost_cc(p, word, (enum step_kind)step->kind, changes)
		       : sim_word_home(word) != (int)p;
	/* Who waits for ever may come to the end of the counter: it stays. */
	if ((sim.tracked < 0 || (int)p == sim.tracked) &&
	    a->remote + cost <= UINT16_MAX)
		a->remote = (uint16_t)(a->remote + cost);
	if (sim.tracked < 0 && sim_is_outside(word) &&
	    a->outside + cost <= UINT16_MAX)
		a->outside = (uint16_t)(a->outside + cost);
}

/* The word that stands for "restless" is nobody's memory. */
long meter_remote_wait(unsigned p)
{
	const struct errand *e = &sim.errand[p];

	if (sim.cost != COST_DSM)
		return -1;
	/* What is no word of the algorithm says that the pass may be repeated. */
	for (uint32_t i = 0; i < e->watch_count; i++)
		if (e->watched[i].word < sim.word_count &&
		    sim_word_home(e->watched[i].word) != (int)p)
			return (long)e->watched[i].word;
	return -1;
}
