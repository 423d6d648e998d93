/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kept by compare-and-swap, which any function of one word can be.  (For a
 * counter an addition would do; that is the counter's luck.)
 */
#include "bench/resilient/keeper.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct kept {
	_Alignas(64) atomic_uint_fast64_t value;
};

static bool open_swap(struct stand *s, unsigned guests)
{
	struct kept *kept = aligned_alloc(64, sizeof *kept);

	(void)guests;
	if (!kept) {
		perror("resilient: a word");
		return false;
	}
	atomic_init(&kept->value, 0);
	s->kept = kept;
	return true;
}

static void close_swap(struct stand *s)
{
	free(s->kept);
}

KEEP static void pass_swap_counter(struct guest *g, unsigned long count)
{
	struct kept *kept = g->stand->kept;
	uint_fast64_t before;

	for (; count > 0; count--) {
		before = atomic_load(&kept->value);
		while (!atomic_compare_exchange_weak(&kept->value, &before,
						     before + 1))
			continue;
		DO_NOT_OPTIMISE();
	}
}

static void look(const struct stand *s, uint64_t *state)
{
	const struct kept *kept = s->kept;

	*state = atomic_load(&kept->value);
}

const struct keeper keeper_swap = {
	.name = "compare-and-swap",
	.subject = COUNTER,
	.function = "pass_swap_counter",
	.open = open_swap,
	.close = close_swap,
	.pass = pass_swap_counter,
	.look = look,
};
