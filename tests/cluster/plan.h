/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transactions for two stores.  A plan is a transaction that names its words by
 * range and row, so that both the simulated store and etcd can make it.  The
 * two memories have different words and cannot share a source file.
 */
#ifndef ATMOST_TESTS_CLUSTER_PLAN_H
#define ATMOST_TESTS_CLUSTER_PLAN_H

#include "memory/transaction.h"

enum { PLAN_PROCESSES = 3, PLAN_SLOTS = 3, PLAN_CLAUSES = 40 };

/* A clause; the word of a member or waiter is that of the process. */
struct planned {
	enum clause_kind kind;
	enum store_range range;
	unsigned row;   /* of a slot */
	uint64_t value; /* CLAUSE_STAMP: a stamp of the simulated store */
};

struct plan {
	unsigned count;
	struct planned clause[PLAN_CLAUSES];
};

/* What a process sees of a word. */
struct sight {
	uint64_t stamp; /* 0: absent */
	uint64_t value;
	bool mine;
};

/* What a process sees: the waiters are those of each process. */
struct view {
	struct sight pool, slot[PLAN_SLOTS], waiter[PLAN_PROCESSES];
};

/* Random plans (random_plan.c): for process p, which may have a lease. */
void plan_make(uint64_t *state, unsigned p, bool has_lease, struct plan *);
bool plan_puts_word(const struct plan *);
void plan_print(const struct plan *);

/* The simulated store (simulated_side.c). */
void simulated_begin(void);
void simulated_end(void);
int simulated_make(unsigned p, const struct plan *);
void simulated_grant(unsigned p);
void simulated_end_lease(unsigned p);
bool simulated_has_lease(unsigned p);
void simulated_view(unsigned p, struct view *);

#endif
