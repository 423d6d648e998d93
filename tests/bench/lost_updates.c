/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In place of bench/resilient/swap.c: reads, lets others run, and writes.  Of
 * operations that are made at the same time one is lost.
 */
#include "bench/resilient/keeper.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static bool open_word(struct stand *s, unsigned guests)
{
	(void)guests;
	s->kept = calloc(1, sizeof(atomic_uint_fast64_t));
	return s->kept;
}

static void close_word(struct stand *s)
{
	free(s->kept);
}

static void pass(struct guest *g, unsigned long count)
{
	atomic_uint_fast64_t *word = g->stand->kept;
	uint_fast64_t before;

	for (; count > 0; count--) {
		before = atomic_load(word);
		sched_yield();
		atomic_store(word, before + 1);
	}
}

static void look(const struct stand *s, uint64_t *state)
{
	*state = atomic_load((atomic_uint_fast64_t *)s->kept);
}

const struct keeper keeper_swap = {
	.name = "compare-and-swap",
	.subject = COUNTER,
	.function = "pass",
	.open = open_word,
	.close = close_word,
	.pass = pass,
	.look = look,
};
