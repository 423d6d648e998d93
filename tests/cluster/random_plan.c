/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/prng.h"
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>

static struct planned random_guard(uint64_t *state, unsigned p, bool has_lease)
{
	static const enum clause_kind kinds[] = { CLAUSE_ABSENT, CLAUSE_ABSENT,
						  CLAUSE_STAMP, CLAUSE_NONE,
						  CLAUSE_ALL };
	struct planned c = { .kind = kinds[prng_below(state, 5)],
			     .range = (enum store_range)prng_below(state, 4),
			     .row = prng_below(state, PLAN_SLOTS) };
	const bool whole = c.kind == CLAUSE_NONE || c.kind == CLAUSE_ALL;
	struct view view;

	/* Without a lease a process has no words of its own; and stamps and
	 * values of members are never seen. */
	if (c.range == STORE_MEMBER && (!has_lease || c.kind != CLAUSE_ABSENT))
		c.range = STORE_SLOT;
	if (c.range == STORE_WAITER && !has_lease && !whole)
		c.range = STORE_SLOT;
	if (c.kind == CLAUSE_ALL)
		c.value = c.range == STORE_POOL
				  ? store_pool(PLAN_SLOTS +
						       prng_below(state, 2),
					       prng_below(state, 2))
				  : 1 + prng_below(state, 2);
	if (c.kind != CLAUSE_STAMP)
		return c;
	/* The present stamp, none, or that of another word. */
	simulated_view(p, &view);
	c.value = c.range == STORE_SLOT     ? view.slot[c.row].stamp
		  : c.range == STORE_WAITER ? view.waiter[p].stamp
					    : view.pool.stamp;
	if (prng_below(state, 4) == 0)
		c.value = view.slot[prng_below(state, PLAN_SLOTS)].stamp;
	if (prng_below(state, 8) == 0)
		c.value = 0;
	return c;
}

/* Makes a write of a random word.  Returns false if the word is written
 * already; *written has a bit for each word. */
static bool random_write(uint64_t *state, bool has_lease, unsigned *written,
			 struct planned *c)
{
	unsigned bit;

	*c = (struct planned){ .range = (enum store_range)prng_below(state, 4),
			       .row = prng_below(state, PLAN_SLOTS) };
	if (!has_lease && c->range != STORE_POOL)
		c->range = STORE_SLOT;
	bit = 1U << (c->range == STORE_SLOT ? 4 + c->row : c->range);
	if (*written & bit)
		return false;
	*written |= bit;
	/* A word that is set outlives the lease; then the word of a member or
	 * waiter would have no owner. */
	c->kind = prng_below(state, 3) == 0 ? CLAUSE_DROP : CLAUSE_PUT;
	if (c->kind == CLAUSE_PUT &&
	    (c->range == STORE_POOL ||
	     (c->range == STORE_SLOT && prng_below(state, 4) == 0)))
		c->kind = CLAUSE_SET;
	c->value = c->range == STORE_POOL
			   ? store_pool(PLAN_SLOTS + prng_below(state, 2),
					prng_below(state, 2))
		   : c->range == STORE_MEMBER ? 0
					      : 1 + prng_below(state, 2);
	return true;
}

/* Adds the guards of the first alternative. */
static void repeat_guards(struct plan *plan)
{
	for (unsigned i = 0; plan->clause[i].kind >= CLAUSE_ABSENT &&
			     plan->clause[i].kind <= CLAUSE_ALL;
	     i++)
		plan->clause[plan->count++] = plan->clause[i];
}

void plan_make(uint64_t *state, unsigned p, bool has_lease, struct plan *plan)
{
	const unsigned alternatives = 1 + prng_below(state, 4);
	/* Guards of all alternatives are written once in a request. */
	const bool common = prng_below(state, 2);

	plan->count = 0;
	for (unsigned i = 0; i < alternatives; i++) {
		unsigned written = 0;

		if (i)
			plan->clause[plan->count++] = (struct planned){
				.kind = CLAUSE_ELSE
			};
		if (i && common)
			repeat_guards(plan);
		for (unsigned j = prng_below(state, 4); j > 0; j--)
			plan->clause[plan->count++] = random_guard(state, p,
								   has_lease);
		for (unsigned j = 1 + prng_below(state, 3); j > 0; j--)
			if (random_write(state, has_lease, &written,
					 &plan->clause[plan->count]))
				plan->count++;
	}
}

bool plan_puts_word(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->clause[i].kind == CLAUSE_PUT)
			return true;
	return false;
}

void plan_print(const struct plan *plan)
{
	static const char *const kinds[] = { "end",   "else", "absent",
					     "stamp", "none", "all",
					     "put",   "set",  "drop" };
	static const char *const ranges[] = { "pool", "slot", "member",
					      "waiter" };

	for (unsigned i = 0; i < plan->count; i++) {
		const struct planned *c = &plan->clause[i];

		printf("  %s %s[%u] %" PRIu64 "\n", kinds[c->kind],
		       ranges[c->range], c->row, c->value);
	}
}
