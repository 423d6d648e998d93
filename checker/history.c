/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/history.h"

#include "checker/hash.h"
#include "memory/simulated/simulated.h"

#include <stdlib.h>

enum { STATE_WORDS = 4, MAX_EXPLANATIONS = 256, OPERATORS = HISTORY_OPERATORS };

enum progress { IDLE, INVOKED, EFFECTIVE };

struct explanation {
	uint64_t state[STATE_WORDS];
	uint64_t result[OPERATORS];
	uint8_t progress[OPERATORS];
	uint8_t zero[8 - OPERATORS]; /* completes the word for the hash */
};

/* The operation of each process, and all explanations. */
struct history {
	uint64_t (*specification)(uint64_t *, uint64_t, uint64_t);
	uint64_t operation[OPERATORS], argument[OPERATORS];
	unsigned count;
	bool overflow;
	struct explanation explanation[MAX_EXPLANATIONS];
};

struct history *history_open(const struct algorithm *a)
{
	struct history *h = calloc(1, sizeof *h);

	if (h)
		h->specification = a->object.specification;
	return h;
}

void history_close(struct history *h)
{
	free(h);
}

void history_reset(struct history *h)
{
	if (!h)
		return;
	memset(h->explanation, 0, sizeof h->explanation);
	memset(h->operation, 0, sizeof h->operation);
	memset(h->argument, 0, sizeof h->argument);
	h->count = 1;
	h->overflow = false;
}

static void add(struct history *h, const struct explanation *x)
{
	for (unsigned i = 0; i < h->count; i++)
		if (memcmp(&h->explanation[i], x, sizeof *x) == 0)
			return;
	if (h->count == MAX_EXPLANATIONS)
		h->overflow = true;
	else
		h->explanation[h->count++] = *x;
}

/* For each explanation, add those in which further invoked operations have also
 * taken effect. */
static void close_set(struct history *h)
{
	for (unsigned i = 0; i < h->count; i++) {
		for (unsigned p = 0; p < OPERATORS; p++) {
			struct explanation x = h->explanation[i];

			if (x.progress[p] != INVOKED)
				continue;
			x.result[p] = h->specification(x.state, h->operation[p],
						       h->argument[p]);
			x.progress[p] = EFFECTIVE;
			add(h, &x);
		}
	}
}

void history_invoke(struct history *h, unsigned p, uint64_t operation,
		    uint64_t argument)
{
	h->operation[p] = operation;
	h->argument[p] = argument;
	for (unsigned i = 0; i < h->count; i++)
		h->explanation[i].progress[p] = INVOKED;
	close_set(h);
}

/* The operation of p is over: keep the explanations in which the operation has
 * this progress and this result.  A second call for one operation does
 * nothing. */
static void settle(struct history *h, unsigned p, enum progress progress,
		   uint64_t result)
{
	unsigned kept = 0;

	if (h->count && h->explanation[0].progress[p] == IDLE)
		return;
	for (unsigned i = 0; i < h->count; i++) {
		struct explanation x = h->explanation[i];

		if (x.progress[p] != progress || x.result[p] != result)
			continue;
		x.progress[p] = IDLE;
		x.result[p] = 0;
		h->explanation[kept++] = x;
	}
	h->count = kept;
	h->operation[p] = h->argument[p] = 0;
}

void history_return(struct history *h, unsigned p, uint64_t result)
{
	settle(h, p, EFFECTIVE, result);
}

void history_never(struct history *h, unsigned p)
{
	settle(h, p, INVOKED, 0);
}

unsigned history_refused(const struct history *h)
{
	return h->count == 0 ? LINEARIZABLE : 0;
}

bool history_overflowed(const struct history *h)
{
	return h->overflow;
}

uint64_t history_hash(const struct history *h)
{
	uint64_t sum = 0;

	if (!h)
		return 0;
	/* The hash is a sum: the order of the explanations does not matter. */
	for (unsigned i = 0; i < h->count; i++) {
		struct explanation copy;

		sum += hash_copy((char *)&copy,
				 (const char *)&h->explanation[i], sizeof copy,
				 99);
	}
	for (unsigned p = 0; p < OPERATORS; p++)
		sum += hash_word(hash_key(64 + p),
				 h->operation[p] << 32 ^ h->argument[p]);
	return sum;
}

/* The set of explanations has no order, so the hash must be symmetric. */
uint64_t history_second_hash(const struct history *h)
{
	uint64_t hash = 0;

	for (unsigned i = 0; h && i < h->count; i++) {
		const struct explanation *x = &h->explanation[i];
		uint64_t one = 2;

		for (unsigned j = 0; j < STATE_WORDS; j++)
			one = hash_word(one, x->state[j]);
		for (unsigned p = 0; p < OPERATORS; p++)
			one = hash_word(hash_word(one, x->result[p]),
					x->progress[p]);
		hash += one;
	}
	for (unsigned p = 0; h && p < OPERATORS; p++)
		hash = hash_word(hash_word(hash, h->operation[p]),
				 h->argument[p]);
	return hash;
}

size_t history_size(const struct history *h)
{
	return offsetof(struct history, explanation) +
	       h->count * sizeof *h->explanation;
}

void history_save(const struct history *h, void *to)
{
	memcpy(to, h, history_size(h));
}

void history_restore(struct history *h, const void *from)
{
	memcpy(h, from, offsetof(struct history, explanation));
	memcpy(h, from, history_size(h));
}
