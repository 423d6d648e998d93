/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/simulated/meter.h"

#include <stdlib.h>
#include <string.h>

/*
 * The processes that have a copy of each word.  Most words have few readers,
 * and there may be millions of words.  So each word has one cell.  The cell
 * holds either up to four readers, as id+1 in 16 bits each, or IN_ROW and the
 * number of a row with one bit per process.
 */
enum { FEW = 4 };
#define IN_ROW (UINT64_C(0xffff) << 48)

static struct {
	uint64_t *cell;
	uint64_t *rows;    /* one bit per process */
	size_t row;        /* words per row */
	size_t used, room; /* rows in use; rows allocated */
	size_t vacant;     /* first row of a list of free rows, or NO_ROW */
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

/* Returns an empty row, or NO_ROW if there is none. */
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
	if (cell >= IN_ROW)
		return row_of(cell)[p / 64] >> p % 64 & 1;
	for (; cell; cell >>= 16)
		if ((cell & 0xffff) == p + 1)
			return true;
	return false;
}

/* Without memory for a row, the copy is not noted; then the measured cost is
 * too high, not too low. */
static void note(unsigned p, uint64_t *cell)
{
	size_t row;

	if (*cell >= IN_ROW) {
		set_bit(*cell, p);
	} else if (*cell >> 16 * (FEW - 1) == 0) {
		*cell = *cell << 16 | (p + 1);
	} else if ((row = take_row()) != NO_ROW) {
		for (uint64_t few = *cell; few; few >>= 16)
			set_bit(row, (unsigned)(few & 0xffff) - 1);
		set_bit(row, p);
		*cell = IN_ROW | row;
	}
}

static void forget(uint64_t *cell)
{
	if (*cell >= IN_ROW) {
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

	if (sim.tracked < 0) {
		forget(&meter.cell[word]);
		sim.invalidated = (uint32_t)word;
	} else if (sim.words[at].value & bit) {
		sim_change(at, sim.words[at].value & ~bit);
	}
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
	if (sim.writer_keeps && mine && !has_copy(p, word))
		give_copy(p, word);
	return 1;
}

void meter_access(unsigned p, const struct step *step, bool changes)
{
	size_t word = step->word ? sim_index(step->word) : 0;
	struct simulated_process *a = sim.process[p];
	unsigned cost;

	/* The beginning and the end of a safe write count as one access; a wake
	 * does not count. */
	if (step->kind == STEP_WAKE || step->kind == STEP_SAFE_BEGIN ||
	    !step->word)
		return;
	cost = sim.cost == COST_CC
		       ? cost_cc(p, word, (enum step_kind)step->kind, changes)
		       : sim_word_home(word) != (int)p;
	/* A process that waits for ever may reach the largest count; the count
	 * must not wrap around. */
	if ((sim.tracked < 0 || (int)p == sim.tracked) &&
	    a->remote + cost <= UINT16_MAX)
		a->remote = (uint16_t)(a->remote + cost);
	if (sim.tracked < 0 && sim_is_outside(word) &&
	    a->outside + cost <= UINT16_MAX)
		a->outside = (uint16_t)(a->outside + cost);
}

long meter_remote_wait(unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];

	if (sim.cost != COST_DSM)
		return -1;
	/* An entry that is not a word of the algorithm is a mark that
	 * pass_note_effect has set. */
	for (uint32_t i = 0; i < co->watch_count; i++)
		if (co->watched[i].word < sim.word_count &&
		    sim_word_home(co->watched[i].word) != (int)p)
			return (long)co->watched[i].word;
	return -1;
}
