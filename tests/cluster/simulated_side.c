/* SPDX-License-Identifier: BSD-2-Clause */
#include "algorithms/registry.h"
#include "memory/simulated/store.h"
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>

void simulated_end(void)
{
	sim_close();
}

static struct word *word_at(enum store_range range, unsigned row)
{
	return sim.words + store_at(range, PLAN_SLOTS, PLAN_PROCESSES) + row;
}

int simulated_make(unsigned p, const struct plan *plan)
{
	struct transaction t = mem_begin();

	for (unsigned i = 0; i < plan->count; i++) {
		const struct planned *c = &plan->clause[i];
		const bool whole = c->kind == CLAUSE_NONE ||
				   c->kind == CLAUSE_ALL;
		unsigned row = c->range == STORE_SLOT   ? c->row
			       : c->range == STORE_POOL ? 0
							: p;
		unsigned count = 1;

		if (whole) {
			row = 0;
			count = (unsigned)store_rows(c->range, PLAN_SLOTS,
						     PLAN_PROCESSES);
		}
		transaction_add(&t, c->kind,
				c->kind == CLAUSE_ELSE ? NULL
						       : word_at(c->range, row),
				count, c->value);
	}
	sim.change_count = 0; /* nothing is taken back */
	return store_make(p, &t);
}

void simulated_begin(void)
{
	const struct algorithm *a = registry_find("ledger-room");
	const struct shape shape = { .n = PLAN_PROCESSES, .k = PLAN_SLOTS };

	if (!a || !sim_open(a, &shape, -1)) {
		puts("FAILED: the simulated store cannot be opened");
		exit(1);
	}
	/* Stamps count transactions, as revisions do, from that of the words
	 * that `init` found. */
	sim.exact_stamps = true;
	simulated_make(0,
		       &(struct plan){
			       .count = 1,
			       .clause = { { .kind = CLAUSE_SET,
					     .range = STORE_POOL,
					     .value = store_pool(PLAN_SLOTS,
								 false) } } });
}

void simulated_grant(unsigned p)
{
	sim.change_count = 0;
	store_grant(p);
}

void simulated_end_lease(unsigned p)
{
	sim.change_count = 0;
	store_end_lease(p);
}

bool simulated_has_lease(unsigned p)
{
	return store_has_lease(p);
}

static struct sight see(enum store_range range, unsigned row, unsigned p)
{
	const uint64_t cell =
		sim.process[p]->own[sim.view + sim_index(word_at(range, row))];

	if (!cell)
		return (struct sight){ 0 };
	return (struct sight){ store_cell_stamp(cell), store_cell_value(cell),
			       store_cell_owner(cell) == (int)p };
}

void simulated_view(unsigned p, struct view *view)
{
	store_look(p);
	view->pool = see(STORE_POOL, 0, p);
	for (unsigned i = 0; i < PLAN_SLOTS; i++)
		view->slot[i] = see(STORE_SLOT, i, p);
	for (unsigned q = 0; q < PLAN_PROCESSES; q++)
		view->waiter[q] = see(STORE_WAITER, q, p);
}
