/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/local.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_SLOTS = 1 << 12, LARGEST = 1 << 20 };

bool locals_open(struct locals *l, size_t memory)
{
	memset(l, 0, sizeof *l);
	l->size = memory + LARGEST; /* the last is for looking things up */
	l->mapped = l->size;
	l->base = mmap(NULL, l->mapped, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	l->slots = FIRST_SLOTS;
	l->table = calloc(l->slots, sizeof *l->table);
	l->move = calloc(MOVES, sizeof *l->move);
	if (l->base == MAP_FAILED)
		l->base = NULL;
	return l->base && l->table && l->move;
}

void locals_close(struct locals *l)
{
	if (l->base)
		munmap(l->base, l->mapped);
	free(l->table);
	free(l->move);
	memset(l, 0, sizeof *l);
}

static struct local_slot *find(const struct locals *l, uint64_t key)
{
	uint64_t at = key & (l->slots - 1);

	while (l->table[at].local && l->table[at].key != key)
		at = (at + 1) & (l->slots - 1);
	return &l->table[at];
}

static bool grow(struct locals *l)
{
	struct locals larger = *l;

	larger.slots *= 2;
	larger.table = calloc(larger.slots, sizeof *larger.table);
	if (!larger.table)
		return false;
	for (uint64_t i = 0; i < l->slots; i++)
		if (l->table[i].local)
			*find(&larger, l->table[i].key) = l->table[i];
	free(l->table);
	*l = larger;
	return true;
}

/* The hash of what p watches: part of the state where nobody naps, and of the
 * local state anyway. */
static uint64_t hash_watched(unsigned p)
{
	const struct errand *e = &sim.errand[p];
	uint64_t h = 0;

	/* The process is part of the key: hashes of processes are added up, and
	 * who saw which value must not be lost in the sum. */
	for (uint32_t i = 0; i < e->watch_count; i++)
		h += hash_word(hash_key(((uint64_t)e->watched[i].word << 8) +
					p),
			       e->watched[i].value);
	return h;
}

static void describe(struct local *s, unsigned p)
{
	const struct errand *e = &sim.errand[p];
	const struct actor *a = sim.actor[p];

	s->sp = e->sp;
	s->step = e->step;
	s->watch_count = e->watch_count;
	s->session = a->self.session;
	s->slot = a->self.slot;
	s->word = e->step && e->step->word ? (uint32_t)sim_index(e->step->word)
					   : 0;
	s->touches = TOUCHES_UNKNOWN;
	s->overrun = a->overrun;
	s->phase = a->phase;
	s->kind = e->step ? (uint8_t)e->step->kind : NO_STEP;
	s->passages_left = a->passages_left;
	s->aborts_left = a->aborts_left;
	s->polls = (uint8_t)a->polls;
	s->named = e->named;
}

struct local *locals_keep(struct locals *l, unsigned p)
{
	const struct errand *e = &sim.errand[p];
	struct local *s = (struct local *)(void *)(l->base + l->used);
	char *bytes = (char *)(s + 1);
	uint64_t watched = hash_watched(p), key;
	struct local_slot *slot;

	/* Copied and hashed at once; if it is known the copy is forgotten. */
	s->bytes = (uint32_t)(sim_state_end(p) - e->sp);
	s->hash = hash_copy(bytes, e->sp, s->bytes, p);
	key = s->hash +
	      hash_mix(watched ^ hash_keys[2 + 2 * e->named], hash_keys[3]);
	if (sim.wakes_are_steps)
		s->hash += watched;
	/* Who rests may nap; who has more to do, or may find more, goes on: they are
	 * not the same state. */
	else if (sim.algorithm->naps && e->step &&
		 e->step->kind == STEP_SLEEP && e->watch_count &&
		 e->watched[0].word != sim.sleeping)
		s->hash += hash_word(hash_key(6), p);
	slot = find(l, key);
	if (slot->local)
		return slot->local;
	if (l->used + 2 * LARGEST > l->size)
		return NULL;
	describe(s, p);
	if (e->watch_count)
		memcpy(bytes + s->bytes, e->watched,
		       e->watch_count * sizeof *e->watched);
	l->used += (sizeof *s + s->bytes + e->watch_count * sizeof *e->watched +
		    15) &
		   ~(size_t)15;
	l->count++;
	slot->key = key;
	slot->local = s;
	if (l->count * 2 > l->slots && !grow(l))
		l->size = 0;
	return s;
}

void local_put(const struct local *s, unsigned p)
{
	struct errand *e = &sim.errand[p];

	if (e->sp < e->low)
		e->low = e->sp;
	e->sp = s->sp;
	e->step = s->step;
	e->watch_count = s->watch_count;
	e->named = s->named;
	if (e->low < e->sp)
		sim_clean(p);
	memcpy(e->sp, local_bytes(s), s->bytes);
	if (s->watch_count)
		memcpy(e->watched, local_watched(s),
		       s->watch_count * sizeof *e->watched);
}
