/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/local_state.h"

#include "checker/heap.h"
#include "memory/simulated/scheduler.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 12, LARGEST = 1 << 20 };

bool local_states_open(struct local_states *l, size_t memory)
{
	memset(l, 0, sizeof *l);
	l->size = memory + LARGEST; /* LARGEST: room for the copy in a lookup */
	l->mapped = l->size;
	l->base = heap_reserve(l->mapped);
	l->slots = FIRST_SLOTS;
	l->table = calloc(l->slots, sizeof *l->table);
	l->move = calloc(MOVES, sizeof *l->move);
	return l->base && l->table && l->move;
}

void local_states_close(struct local_states *l)
{
	heap_release(l->base, l->mapped);
	free(l->table);
	free(l->move);
	memset(l, 0, sizeof *l);
}

static struct local_state_slot *find(const struct local_states *l, uint64_t key)
{
	uint64_t at = key & (l->slots - 1);

	while (l->table[at].state && l->table[at].key != key)
		at = (at + 1) & (l->slots - 1);
	return &l->table[at];
}

static bool grow(struct local_states *l)
{
	struct local_states larger = *l;

	larger.slots *= 2;
	larger.table = calloc(larger.slots, sizeof *larger.table);
	if (!larger.table)
		return false;
	for (uint64_t i = 0; i < l->slots; i++)
		if (l->table[i].state)
			*find(&larger, l->table[i].key) = l->table[i];
	free(l->table);
	*l = larger;
	return true;
}

/* The hash of the words that p watches, with their values.  This hash is part
 * of the key of the local state.  Where wakes are steps, it is part of the hash
 * of the state as well. */
static uint64_t hash_watched(unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];
	uint64_t h = 0;

	/* The key contains p, because the hashes of all processes are added up,
	 * and the sum must still tell which process read which value. */
	for (uint32_t i = 0; i < co->watch_count; i++)
		h += hash_word(hash_key(((uint64_t)co->watched[i].word << 8) +
					p),
			       co->watched[i].value);
	return h;
}

static void describe(struct local_state *s, unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];
	const struct simulated_process *a = sim.process[p];

	s->sp = co->sp;
	s->step = co->step;
	s->watch_count = co->watch_count;
	s->session = a->self.session;
	s->token = a->self.token;
	s->slot = a->self.slot;
	s->word = co->step && co->step->word
			  ? (uint32_t)sim_index(co->step->word)
			  : 0;
	s->touches = TOUCHES_UNKNOWN;
	s->overrun = a->overrun;
	s->phase = a->phase;
	s->kind = co->step ? (uint8_t)co->step->kind : NO_STEP;
	s->passages_left = a->passages_left;
	s->aborts_left = a->aborts_left;
	s->polls = (uint8_t)a->polls;
	s->named = co->named;
}

struct local_state *local_states_keep(struct local_states *l, unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];
	struct local_state *s = (struct local_state *)(void *)(l->base +
							       l->used);
	char *bytes = (char *)(s + 1);
	uint64_t watched = hash_watched(p), key;
	struct local_state_slot *slot;

	/* Copy and hash the bytes in one loop; the copy is dropped if this
	 * local state is already stored. */
	s->bytes = (uint32_t)(sim_state_end(p) - co->sp);
	s->hash = hash_copy(bytes, co->sp, s->bytes, p);
	key = s->hash +
	      hash_mix(watched ^ hash_keys[2 + 2 * co->named], hash_keys[3]);
	if (sim.wakes_are_steps)
		s->hash += watched;
	/* The hash distinguishes a process that must nap from a process whose
	 * next pass may succeed without a nap. */
	else if (sim.algorithm->naps && co->step &&
		 co->step->kind == STEP_SLEEP && co->watch_count &&
		 co->watched[0].word != sim.sleeping)
		s->hash += hash_word(hash_key(6), p);
	slot = find(l, key);
	if (slot->state)
		return slot->state;
	if (l->used + 2 * LARGEST > l->size)
		return NULL;
	describe(s, p);
	if (co->watch_count)
		memcpy(bytes + s->bytes, co->watched,
		       co->watch_count * sizeof *co->watched);
	l->used += (sizeof *s + s->bytes +
		    co->watch_count * sizeof *co->watched + 15) &
		   ~(size_t)15;
	l->count++;
	slot->key = key;
	slot->state = s;
	if (l->count * 2 > l->slots && !grow(l))
		l->size = 0;
	return s;
}

void local_state_put(const struct local_state *s, unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];

	if (co->sp < co->low)
		co->low = co->sp;
	co->sp = s->sp;
	co->step = s->step;
	co->watch_count = s->watch_count;
	co->named = s->named;
	if (co->low < co->sp)
		scheduler_clean(p);
	memcpy(co->sp, local_state_bytes(s), s->bytes);
	if (s->watch_count)
		memcpy(co->watched, local_state_watched(s),
		       s->watch_count * sizeof *co->watched);
}
