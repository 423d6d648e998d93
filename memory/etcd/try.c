/* SPDX-License-Identifier: BSD-2-Clause */
#include "try.h"

static const struct word *first_of(const struct etcd *etcd,
				   enum store_range range)
{
	return etcd->words + store_at(range, etcd->shape.k_max, etcd->shape.n);
}

static bool puts_ticket(const struct etcd *etcd, const struct clause *clause)
{
	return clause->kind == CLAUSE_PUT &&
	       clause->word >= first_of(etcd, STORE_WAITER) &&
	       clause->word < first_of(etcd, STORE_RANGES);
}

/* Copies an alternative, without its writes if one of them puts a ticket;
 * *ticket then becomes true. */
static void copy_guards(const struct etcd *etcd, struct transaction *to,
			const struct clause **from, bool *ticket)
{
	const struct clause *clause = *from;

	for (; clause->kind > CLAUSE_ELSE; clause++)
		*ticket |= puts_ticket(etcd, clause);
	for (clause = *from; clause->kind > CLAUSE_ELSE; clause++)
		if (!*ticket || clause->kind < CLAUSE_PUT)
			transaction_add(to, (enum clause_kind)clause->kind,
					clause->word, clause->count,
					clause->value);
	*from = clause;
}

int try_without_ticket(const struct etcd *etcd, struct transaction *t)
{
	const struct transaction before = *t;
	const struct clause *clause = before.clause;
	int alternative = -1;

	*t = mem_begin();
	for (int i = 0;; i++) {
		bool ticket = false;

		copy_guards(etcd, t, &clause, &ticket);
		if (ticket)
			alternative = i;
		if (clause->kind == CLAUSE_END)
			return alternative;
		mem_else(t);
		clause++;
	}
}

bool try_finds_slot(struct etcd *etcd)
{
	const struct shape *shape = &etcd->shape;
	const struct word *slot = first_of(etcd, STORE_SLOT);
	const struct word *waiter = first_of(etcd, STORE_WAITER);
	/* Without a limit there are as many slots as rows. */
	const unsigned open = shape->k ? shape->k : shape->k_max;
	bool found = false;

	if (store_pool_paused(etcd->words[0].value))
		return false;
	for (unsigned i = 0; i < shape->n; i++)
		if (waiter[i].stamp)
			return false;
	for (unsigned i = 0; i < shape->k_max; i++) {
		if (slot[i].stamp && slot[i].value != etcd->process.session)
			return false;
		if (!slot[i].stamp && i < open && !found) {
			etcd->process.hint = i;
			found = true;
		}
	}
	return found;
}
