/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/collisions.h"

#include "checker/history.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 12 };

bool collisions_open(struct collisions *c)
{
	c->slots = FIRST_SLOTS;
	c->count = 0;
	c->no_memory = false;
	c->table = calloc(c->slots, sizeof *c->table);
	return c->table != NULL;
}

void collisions_close(struct collisions *c)
{
	free(c->table);
	c->table = NULL;
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size)
{
	const char *from = bytes;

	for (size_t i = 0; i + sizeof h <= size; i += sizeof h) {
		uint64_t v;

		memcpy(&v, from + i, sizeof v);
		h = hash_word(h, v);
	}
	return h;
}

static uint64_t second_hash(const struct world *w)
{
	uint64_t h = hash_bytes(1, sim.words,
				sim.all_words * sizeof *sim.words);

	for (unsigned p = 0; p < w->n; p++) {
		h = hash_bytes(h, local_state_bytes(w->current[p]),
			       w->current[p]->bytes);
		if (sim.algorithm->naps)
			h = hash_word(h, w->current[p]->named);
	}
	h = hash_bytes(h, &w->monitor, sizeof w->monitor);
	return hash_word(h, history_second_hash(w->history));
}

static struct pair *find(const struct collisions *c, uint64_t fingerprint)
{
	uint64_t at = fingerprint & (c->slots - 1);

	while (c->table[at].fingerprint &&
	       c->table[at].fingerprint != fingerprint)
		at = (at + 1) & (c->slots - 1);
	return &c->table[at];
}

static bool grow(struct collisions *c)
{
	struct collisions larger = *c;

	larger.slots *= 2;
	larger.table = calloc(larger.slots, sizeof *larger.table);
	if (!larger.table)
		return false;
	for (uint64_t i = 0; i < c->slots; i++)
		if (c->table[i].fingerprint)
			*find(&larger, c->table[i].fingerprint) = c->table[i];
	free(c->table);
	*c = larger;
	return true;
}

bool collisions_add(struct collisions *c, const struct world *w)
{
	const struct pair new = { w->hash + (w->hash == 0), second_hash(w) };
	struct pair *old;

	c->no_memory |= c->count >= c->slots / 2 && !grow(c);
	if (c->no_memory)
		return true;
	old = find(c, new.fingerprint);
	if (old->fingerprint)
		return old->second == new.second;
	*old = new;
	c->count++;
	return true;
}
