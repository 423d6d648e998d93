/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Builds the memory of an instance: its words, a description of each word, and
 * one block per process.  A block contains a guard page, the stack, the struct
 * simulated_process and the own words.
 */
#include "memory/simulated/simulated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct sim sim;

enum {
	PAGE = 4096,
	LINE = 64,
	SMALL_STACK = 16 * 1024, /* if there are more than MANY processes */
	STACK = 48 * 1024,
	MANY = 64,
};

/* The facts that an algorithm's `init` has declared about a word. */
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
	struct word *first_words; /* the values after init */
	struct watched *watched;
	uint64_t *domains; /* the values of all domains, one after another */
	size_t domain_values;
	bool refused; /* a domain was too large to keep */
} instance;

static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

static bool map_blocks(void)
{
	size_t tail = sizeof(struct simulated_process) +
		      sim.own_words * sizeof(uint64_t);

	sim.stack_size = sim.n > MANY ? SMALL_STACK : STACK;
	instance.block_size = round_up(PAGE + sim.stack_size + tail, PAGE) +
			      (sim.n > MANY ? PAGE : 0);
	instance.blocks_size = instance.block_size * sim.n;
	instance.blocks = mmap(NULL, instance.blocks_size,
			       PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			       0);
	if (instance.blocks == MAP_FAILED) {
		instance.blocks = NULL;
		return false;
	}
	for (unsigned p = 0; p < sim.n; p++) {
		char *block = instance.blocks + p * instance.block_size;
		char *end = block + instance.block_size;

		if (mprotect(block, PAGE, PROT_NONE) != 0)
			return false;
		/* If the structs of many processes had the same offset in their
		 * pages, they would all compete for the same few cache
		 * lines. */
		if (sim.n > MANY)
			end -= p % (PAGE / LINE) * LINE;
		/* Align the struct, so that the hash function can take whole
		 * groups of words. */
		sim.process[p] =
			(struct simulated_process *)(void *)(end -
							     round_up(tail,
								      LINE));
		sim.coroutine[p].watched = instance.watched +
					   p * sim.watch_room;
	}
	return true;
}

static bool allocate(void)
{
	/* A pass notes each word once.  With many processes and many words, few
	 * processes look at many words, so less room is enough. */
	sim.watch_room = sim.n <= MAX_EXHAUSTIVE_N || sim.word_count < 4 * sim.n
				 ? sim.word_count + 2
				 : 4 * sim.n + 64;
	sim.words = calloc(sim.all_words + 1, sizeof *sim.words);
	instance.first_words = calloc(sim.all_words + 1, sizeof *sim.words);
	instance.facts = calloc(sim.word_count + 1, sizeof *instance.facts);
	instance.watched = calloc(sim.n * sim.watch_room,
				  sizeof *instance.watched);
	sim.process = calloc(sim.n, sizeof(struct simulated_process *));
	sim.coroutine = calloc(sim.n, sizeof *sim.coroutine);
	sim.change_room = sim.all_words + 4096;
	sim.changes = calloc(sim.change_room, sizeof *sim.changes);
	return sim.words && instance.first_words && instance.facts &&
	       instance.watched && sim.process && sim.coroutine &&
	       sim.changes && map_blocks();
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
	sim.store = sim.all_words;
	sim.view = sim.own_words;
	if (a->over_store) {
		sim.all_words += STORE_OWN_WORDS;
		sim.own_words += (unsigned)sim.word_count;
	}
	if (!allocate()) {
		sim_close();
		return false;
	}
	sim.shared = sim.words;
	for (size_t i = 0; i < sim.word_count; i++)
		instance.facts[i].home = -1;
	a->init(sim.shared, &sim.shape);
	sim.started = true;
	if (instance.refused) {
		sim_close();
		return false;
	}
	memcpy(instance.first_words, sim.words,
	       sim.all_words * sizeof *sim.words);
	sim_reset();
	return true;
}

void sim_close(void)
{
	free(sim.words);
	free(instance.first_words);
	free(instance.facts);
	free(instance.watched);
	free(sim.process);
	free(sim.coroutine);
	free(sim.changes);
	free(instance.domains);
	if (instance.blocks)
		munmap(instance.blocks, instance.blocks_size);
	memset(&instance, 0, sizeof instance);
	memset(&sim, 0, sizeof sim);
	sim.tracked = -1;
}

/* The slot at which process p looks first; processes begin at different
 * slots. */
static unsigned first_hint(unsigned p)
{
	unsigned slots = shape_slots(&sim.shape);

	return slots ? p % slots : 0;
}

void sim_reset(void)
{
	memcpy(sim.words, instance.first_words,
	       sim.all_words * sizeof *sim.words);
	sim.change_count = 0;
	for (unsigned p = 0; p < sim.n; p++) {
		struct simulated_process *a = sim.process[p];
		char *bottom = (char *)a - sim.stack_size;

		memset(a, 0, sizeof *a + sim.own_words * sizeof *a->own);
		memset(bottom, 0, sim.stack_size);
		a->self.id = p;
		a->self.shape = &sim.shape;
		a->self.hint = first_hint(p);
		a->self.own = a->own;
		sim.coroutine[p].sp = (char *)a;
		sim.coroutine[p].low = (char *)a;
		sim.coroutine[p].step = NULL;
		sim_forget_pass(p);
	}
}

bool sim_overflowed(const void *address, unsigned *process)
{
	size_t offset = (size_t)((const char *)address - instance.blocks);

	if (!instance.blocks || (const char *)address < instance.blocks ||
	    offset >= instance.blocks_size)
		return false;
	*process = (unsigned)(offset / instance.block_size);
	return offset % instance.block_size < PAGE;
}

uint64_t sim_torn_value(size_t word, unsigned torn)
{
	const struct word_facts *facts = &instance.facts[word];

	if (!facts->domain_count || !sim_in_flux(word))
		return sim.words[word].value;
	return facts->domain[torn % facts->domain_count];
}

unsigned sim_torn_values(enum step_kind kind, size_t word)
{
	if ((kind != STEP_SAFE_READ && kind != STEP_AWAIT_SAFE) ||
	    !sim_in_flux(word) || !instance.facts[word].domain_count)
		return 1;
	return instance.facts[word].domain_count;
}

void sim_undo(size_t mark)
{
	while (sim.change_count > mark) {
		struct change c = sim.changes[--sim.change_count];

		sim.words[c.word].value = c.old;
	}
}

void sim_poke(struct word *word, uint64_t value)
{
	/* One change per word is enough to take back a large step. */
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
	instance.facts[sim_index(word)].home = (int32_t)process;
}

void sim_safe_domain(struct word *word, const uint64_t *values, unsigned count)
{
	struct word_facts *facts = &instance.facts[sim_index(word)];

	/* Many words have the same domain: store each domain once. */
	enum { ROOM = 4096 };
	if (!instance.domains)
		instance.domains = calloc(ROOM, sizeof *instance.domains);
	if (!instance.domains || count > 255) {
		instance.refused = true;
		return;
	}
	for (size_t i = 0; i + count <= instance.domain_values; i++) {
		if (memcmp(instance.domains + i, values,
			   count * sizeof *values) == 0) {
			facts->domain = instance.domains + i;
			facts->domain_count = (uint8_t)count;
			return;
		}
	}
	if (instance.domain_values + count > ROOM) {
		instance.refused = true;
		return;
	}
	memcpy(instance.domains + instance.domain_values, values,
	       count * sizeof *values);
	facts->domain = instance.domains + instance.domain_values;
	facts->domain_count = (uint8_t)count;
	instance.domain_values += count;
}

void sim_name(struct word *word, const char *name, const unsigned *index,
	      unsigned count)
{
	struct word_facts *facts = &instance.facts[sim_index(word)];

	facts->name = name;
	facts->index_count = (uint8_t)(count < 3 ? count : 3);
	for (unsigned i = 0; i < facts->index_count; i++)
		facts->index[i] = (uint16_t)index[i];
}

void sim_word_name(size_t word, char *text, size_t size)
{
	const struct word_facts *facts;
	int used;

	if (word >= sim.word_count || !instance.facts[word].name) {
		snprintf(text, size, "word[%zu]", word);
		return;
	}
	facts = &instance.facts[word];
	used = snprintf(text, size, "%s", facts->name);
	for (unsigned i = 0; i < facts->index_count; i++)
		if (used >= 0 && (size_t)used < size)
			used += snprintf(text + used, size - (size_t)used,
					 "[%u]", facts->index[i]);
}

int sim_word_home(size_t word)
{
	return word < sim.word_count ? instance.facts[word].home : -1;
}
