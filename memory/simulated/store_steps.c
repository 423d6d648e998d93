/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a store, as a simulated process makes them.  These functions run
 * on simulated stacks and are compiled like the algorithms. */
#include "memory/simulated/store.h"

/*
 * The scheduler may make the transaction and lose its answer, or keep the
 * request on its way.  In both cases the process stays in front of STEP_REMOTE:
 * it sends the same transaction again.
 */
int sim_commit(struct transaction *t, const char *where)
{
	uint64_t made = sim_step(STEP_REMOTE, NULL, (uint64_t)(uintptr_t)t, 0,
				 where);

	return (int)sim_step(STEP_ANSWER, NULL, made,
			     transaction_needs_lease(t), where);
}

uint64_t sim_seen(const uint64_t *own, const struct word *word)
{
	return own[sim.view + sim_index(word)];
}

void sim_unsee(uint64_t *own)
{
	for (size_t i = 0; i < sim.word_count; i++)
		own[sim.view + i] = 0;
}

/* `self` may be a process that recovers another one. */
bool sim_is_mine(const uint64_t *own, const struct word *word, unsigned p)
{
	uint64_t cell = sim_seen(own, word);

	return cell && store_cell_owner(cell) == (int)p;
}

void sim_found(struct word *word, uint64_t value)
{
	sim_poke(word, store_cell(1, -1, value));
}
