/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a simulated instance lives: its words, what is known of each, and one
 * block a process: guard page, stack, actor, own words.
 */
#include "memory/simulated/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct sim sim;

enum {
	PAGE = 4096,
	LINE = 64,
	SMALL_STACK = 16 * 1024, /* with many processes */
	STACK = 48 * 1024,
	MANY = 64,
};

/* What init declared about a word. */
struct word_facts {
	const char *name;
	const uint64_t *domain;
	int32_t home;
	uint16_t index[3];
	uint8_t index_count, domain_count;
};

static struct {
	struct word_facts *facts;
	char *blocks;
	size_t block_size, blocks_size;
	struct word *first_words; /* as init left them */
	struct watched *watched;
	uint64_t *domains; /* the values of all domains, one after another */
	size_t domain_values;
	bool refused; /* a domain was too large to keep */
} arena;

static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

static bool map_blocks(void)
{
	size_t tail = sizeof(struct actor) + sim.own_words * sizeof(uint64_t);

	sim.stack_size = sim.n > MANY ? SMALL_STACK : STACK;
	arena.block_size = round_up(PAGE + sim.stack_size + tail, PAGE) +
			   (sim.n > MANY ? PAGE : 0);
	arena.blocks_size = arena.block_size * sim.n;
	arena.blocks = mmap(NULL, arena.blocks_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena.blocks == MAP_FAILED) {
		arena.blocks = NULL;
		return false;
	}
	for (unsigned p = 0; p < sim.n; p++) {
		char *block = arena.blocks + p * arena.block_size;
		char *end = block + arena.block_size;

		if (mprotect(block, PAGE, PROT_NONE) != 0)
			return false;
		/* Many at the same place of their pages would share the few
		 * lines of a cache that are for this place. */
		if (sim.n > MANY)
			end -= p % (PAGE / LINE) * LINE;
		/* Whole pairs of words, so that hashing needs no odd end. */
		sim.actor[p] = (struct actor *)(void *)(end -
							round_up(tail, LINE));
		sim.errand[p].watched = arena.watched + p * sim.watch_room;
	}
	return true;
}

static bool allocate(void)
{
	/* A pass notes a word once; of many processes few look at many. */
	sim.watch_room = sim.n <= MAX_EXHAUSTIVE_N || sim.word_count < 4 * sim.n
				 ? sim.word_count + 2
				 : 4 * sim.n + 64;
	sim.words = calloc(sim.all_words + 1, sizeof *sim.words);
	arena.first_words = calloc(sim.all_words + 1, sizeof *sim.words);
	arena.facts = calloc(sim.word_count + 1, sizeof *arena.facts);
	arena.watched = calloc(sim.n * sim.watch_room, sizeof *arena.watched);
	sim.actor = calloc(sim.n, sizeof(struct actor *));
	sim.errand = calloc(sim.n, sizeof *sim.errand);
	sim.change_room = sim.all_words + 4096;
	sim.changes = calloc(sim.change_room, sizeof *sim.changes);
	return sim.words && arena.first_words && arena.facts && arena.watched &&
	       sim.actor && sim.errand && sim.changes && map_blocks();
}

bool sim_open(const struct algorithm *a, const struct shape *shape, int tracked)
{
	sim.algorithm = a;
	sim.shape = *shape;
	sim.n = shape->n;
	sim.tracked = tracked;
	sim.word_count = a->words(shape);
	sim.component_at = a->composition.component ? a->composition.at(shape)
						    : 0;
	sim.component_every = a->composition.component && a->composition.every
				      ? a->composition.every(shape)
				      : 0;
	sim.own_words = a->own_words ? a->own_words(shape) : 0;
	sim.own_persistent = a->own_persistent ? a->own_persistent(shape) : 0;
	sim.sleeping = sim.word_count;
	sim.flux = sim.sleeping + 1;
	sim.copies = sim.flux;
	if (a->primitives & USES_SAFE)
		sim.copies += (sim.word_count + 63) / 64;
	sim.all_words = sim.copies;
	if (tracked >= 0)
		sim.all_words += (sim.word_count + 63) / 64;
	if (!allocate()) {
		sim_close();
		return false;
	}
	sim.shared = sim.words;
	for (size_t i = 0; i < sim.word_count; i++)
		arena.facts[i].home = -1;
	a->init(sim.shared, &sim.shape);
	sim.started = true;
	if (arena.refused) {
		sim_close();
		return false;
	}
	memcpy(arena.first_words, sim.words, sim.all_words * sizeof *sim.words);
	sim_reset();
	return true;
}

void sim_close(void)
{
	free(sim.words);
	free(arena.first_words);
	free(arena.facts);
	free(arena.watched);
	free(sim.actor);
	free(sim.errand);
	free(sim.changes);
	free(arena.domains);
	if (arena.blocks)
		munmap(arena.blocks, arena.blocks_size);
	memset(&arena, 0, sizeof arena);
	memset(&sim, 0, sizeof sim);
	sim.tracked = -1;
}

/* So that each looks at another slot first. */
static unsigned first_hint(unsigned p)
{
	unsigned slots = sim.shape.k_max > sim.shape.k ? sim.shape.k_max
						       : sim.shape.k;

	return slots ? p % slots : 0;
}

void sim_reset(void)
{
	memcpy(sim.words, arena.first_words, sim.all_words * sizeof *sim.words);
	sim.change_count = 0;
	for (unsigned p = 0; p < sim.n; p++) {
		struct actor *a = sim.actor[p];
		char *bottom = (char *)a - sim.stack_size;

		memset(a, 0, sizeof *a + sim.own_words * sizeof *a->own);
		memset(bottom, 0, sim.stack_size);
		a->self.id = p;
		a->self.shape = &sim.shape;
		a->self.hint = first_hint(p);
		a->self.own = a->own;
		sim.errand[p].sp = (char *)a;
		sim.errand[p].low = (char *)a;
		sim.errand[p].step = NULL;
		sim_forget_pass(p);
	}
}

bool arena_overflowed(const void *address, unsigned *process)
{
	size_t offset = (size_t)((const char *)address - arena.blocks);

	if (!arena.blocks || (const char *)address < arena.blocks ||
	    offset >= arena.blocks_size)
		return false;
	*process = (unsigned)(offset / arena.block_size);
	return offset % arena.block_size < PAGE;
}

bool arena_watch_full(unsigned p)
{
	return sim.errand[p].watch_count >= sim.watch_room;
}

const uint64_t *arena_domain(size_t word, unsigned *count)
{
	*count = arena.facts[word].domain_count;
	return arena.facts[word].domain;
}

void sim_poke(struct word *word, uint64_t value)
{
	/* One change a word is enough to undo a large step. */
	if (sim.started) {
		for (size_t i = 0; i < sim.change_count; i++)
			if (sim.changes[i].word == sim_index(word))
				goto known;
		sim_change(sim_index(word), value);
	}
known:
	word->value = value;
}

void sim_place(struct word *word, unsigned process)
{
	arena.facts[sim_index(word)].home = (int32_t)process;
}

void sim_safe_domain(struct word *word, const uint64_t *values, unsigned count)
{
	struct word_facts *facts = &arena.facts[sim_index(word)];

	/* Few different domains are declared for many words: share them. */
	enum { ROOM = 4096 };
	if (!arena.domains)
		arena.domains = calloc(ROOM, sizeof *arena.domains);
	if (!arena.domains || count > 255) {
		arena.refused = true;
		return;
	}
	for (size_t i = 0; i + count <= arena.domain_values; i++) {
		if (memcmp(arena.domains + i, values, count * sizeof *values) ==
		    0) {
			facts->domain = arena.domains + i;
			facts->domain_count = (uint8_t)count;
			return;
		}
	}
	if (arena.domain_values + count > ROOM) {
		arena.refused = true;
		return;
	}
	memcpy(arena.domains + arena.domain_values, values,
	       count * sizeof *values);
	facts->domain = arena.domains + arena.domain_values;
	facts->domain_count = (uint8_t)count;
	arena.domain_values += count;
}

void sim_name(struct word *word, const char *name, const unsigned *index,
	      unsigned count)
{
	struct word_facts *facts = &arena.facts[sim_index(word)];

	facts->name = name;
	facts->index_count = (uint8_t)(count < 3 ? count : 3);
	for (unsigned i = 0; i < facts->index_count; i++)
		facts->index[i] = (uint16_t)index[i];
}

void sim_word_name(size_t word, char *text, size_t size)
{
	const struct word_facts *facts;
	int used;

	if (word >= sim.word_count || !arena.facts[word].name) {
		snprintf(text, size, "word[%zu]", word);
		return;
	}
	facts = &arena.facts[word];
	used = snprintf(text, size, "%s", facts->name);
	for (unsigned i = 0; i < facts->index_count; i++)
		if (used >= 0 && (size_t)used < size)
			used += snprintf(text + used, size - (size_t)used,
					 "[%u]", facts->index[i]);
}

int sim_word_home(size_t word)
{
	return word < sim.word_count ? arena.facts[word].home : -1;
}
