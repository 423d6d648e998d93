/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Replaces bench/resilient/swap.c: reads the word, yields, and writes the word.
 * If two operations overlap, one of them may be lost.
 */
#include "bench/resilient/implementation.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static bool open_word(struct instance *i, unsigned threads)
{
	(void)threads;
	i->memory = calloc(1, sizeof(atomic_uint_fast64_t));
	return i->memory;
}

static void close_word(struct instance *i)
{
	free(i->memory);
}

static void pass(struct handle *h, unsigned long count)
{
	atomic_uint_fast64_t *word = h->instance->memory;
	uint_fast64_t before;

	for (; count > 0; count--) {
		before = atomic_load(word);
		sched_yield();
		atomic_store(word, before + 1);
	}
}

static void read_state(const struct instance *i, uint64_t *state)
{
	*state = atomic_load((atomic_uint_fast64_t *)i->memory);
}

const struct implementation swap_implementation = {
	.name = "compare-and-swap",
	.subject = COUNTER,
	.function = "pass",
	.open = open_word,
	.close = close_word,
	.pass = pass,
	.read = read_state,
};
