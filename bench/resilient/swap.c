/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations use compare-and-swap, which can apply any function to one word.
 * (An atomic addition would be faster, but works for a counter only.)
 */
#include "bench/resilient/implementation.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct word_memory {
	_Alignas(64) atomic_uint_fast64_t value;
};

static bool open_swap(struct instance *i, unsigned threads)
{
	struct word_memory *m = aligned_alloc(64, sizeof *m);

	(void)threads;
	if (!m) {
		perror("resilient: memory of a word");
		return false;
	}
	atomic_init(&m->value, 0);
	i->memory = m;
	return true;
}

static void close_swap(struct instance *i)
{
	free(i->memory);
}

KEEP static void pass_swap_counter(struct handle *h, unsigned long count)
{
	struct word_memory *m = h->instance->memory;
	uint_fast64_t before;

	for (; count > 0; count--) {
		before = atomic_load(&m->value);
		while (!atomic_compare_exchange_weak(&m->value, &before,
						     before + 1))
			continue;
		DO_NOT_OPTIMISE();
	}
}

static void read_state(const struct instance *i, uint64_t *state)
{
	const struct word_memory *m = i->memory;

	*state = atomic_load(&m->value);
}

const struct implementation swap_implementation = {
	.name = "compare-and-swap",
	.subject = COUNTER,
	.function = "pass_swap_counter",
	.open = open_swap,
	.close = close_swap,
	.pass = pass_swap_counter,
	.read = read_state,
};
