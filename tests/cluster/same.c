/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulated store and etcd give the same answers: random transactions,
 * leases and looks of three processes, with stamps compared by order.  So what
 * the checker searches is what etcd does.  Set ATMOST_SEED to repeat a run.
 */
#include "common/clock.h"
#include "common/prng.h"
#include "common/size.h"
#include "common/watchdog.h"
#include "memory/etcd/etcd.h"
#include "node.h"
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAMPS = 1 << 20 };

static uint64_t random_state;
static struct etcd *etcd[PLAN_PROCESSES];
/* The lease of each process; also if it has ended and the process does not
 * know. */
static int64_t lease[PLAN_PROCESSES];
/* etcd's stamp for each stamp of the simulated store; 0: not seen yet. */
static uint64_t stamp_of[STAMPS];
static uint64_t last_stamp;
static unsigned long steps, answers[8], refused, lapsed, looks, watched;

static void differ(unsigned p, const char *what)
{
	printf("FAILED: step %lu, process %u: %s\n", steps, p, what);
	node_stop();
	exit(1);
}

static unsigned below(unsigned limit)
{
	return prng_below(&random_state, limit);
}

/* Equal stamps stay equal, and later ones are larger. */
static bool same_stamp(uint64_t simulated, uint64_t real)
{
	if (simulated == 0 || real == 0)
		return simulated == real;
	if (simulated >= STAMPS)
		return false;
	if (stamp_of[simulated])
		return stamp_of[simulated] == real;
	stamp_of[simulated] = real;
	for (uint64_t i = simulated; i-- > 0;)
		if (stamp_of[i]) {
			if (stamp_of[i] >= real)
				return false;
			break;
		}
	for (uint64_t i = simulated + 1; i <= last_stamp; i++)
		if (stamp_of[i] && stamp_of[i] <= real)
			return false;
	if (simulated > last_stamp)
		last_stamp = simulated;
	return true;
}

static bool same_sight(const struct sight *simulated, const struct sight *real)
{
	return same_stamp(simulated->stamp, real->stamp) &&
	       (!real->stamp || (simulated->value == real->value &&
				 simulated->mine == real->mine));
}

static struct sight see(unsigned p, enum store_range range, unsigned row)
{
	const struct shape *shape = &etcd[p]->shape;
	struct word *word = etcd[p]->words +
			    store_at(range, shape->k_max, shape->n) + row;
	const struct process *self = &etcd[p]->process;

	return (struct sight){ mem_seen(self, word), mem_seen_value(self, word),
			       mem_seen_mine(self, word) };
}

/* Returns the row of process q in the view of p, or -1. */
static int row_of(unsigned p, unsigned q)
{
	for (unsigned row = 0; row < etcd[p]->shape.n; row++)
		if (etcd[p]->leases[row] == lease[q] && lease[q])
			return (int)row;
	return -1;
}

/*
 * Compares what p sees.  A watch does not tell of waiters that come or are
 * written again: then the waiters that p sees must be there, and others may be
 * missing.
 */
static bool same_view(unsigned p, bool by_watch)
{
	struct view expected;
	unsigned waiters = 0, seen = 0;

	simulated_view(p, &expected);
	for (unsigned i = 0; i < PLAN_SLOTS; i++) {
		const struct sight slot = see(p, STORE_SLOT, i);

		if (!same_sight(&expected.slot[i], &slot))
			return false;
	}
	for (unsigned q = 0; q < PLAN_PROCESSES; q++) {
		const int row = row_of(p, q);
		const struct sight waiter = row < 0 ? (struct sight){ 0 }
						    : see(p, STORE_WAITER,
							  (unsigned)row);

		waiters += expected.waiter[q].stamp != 0;
		if (by_watch ? waiter.stamp && !expected.waiter[q].stamp
			     : !same_sight(&expected.waiter[q], &waiter))
			return false;
	}
	for (unsigned row = 0; row < etcd[p]->shape.n; row++)
		seen += see(p, STORE_WAITER, row).stamp != 0;
	if (by_watch ? seen > waiters : seen != waiters)
		return false;
	{
		const struct sight pool = see(p, STORE_POOL, 0);

		return same_sight(&expected.pool, &pool);
	}
}

static struct planned random_guard(unsigned p, bool has_lease)
{
	static const enum clause_kind kinds[] = { CLAUSE_ABSENT, CLAUSE_ABSENT,
						  CLAUSE_STAMP, CLAUSE_NONE,
						  CLAUSE_ALL };
	struct planned c = { .kind = kinds[below(5)],
			     .range = (enum store_range)below(4),
			     .row = below(PLAN_SLOTS) };
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
				  ? store_pool(PLAN_SLOTS + below(2), below(2))
				  : 1 + below(2);
	if (c.kind != CLAUSE_STAMP)
		return c;
	/* The present stamp, none, or that of another word. */
	simulated_view(p, &view);
	c.value = c.range == STORE_SLOT     ? view.slot[c.row].stamp
		  : c.range == STORE_WAITER ? view.waiter[p].stamp
					    : view.pool.stamp;
	if (below(4) == 0)
		c.value = view.slot[below(PLAN_SLOTS)].stamp;
	if (below(8) == 0)
		c.value = 0;
	return c;
}

/* A write of a word that is not among those written already, a bit each. */
static bool random_write(bool has_lease, unsigned *written, struct planned *c)
{
	unsigned bit;

	*c = (struct planned){ .range = (enum store_range)below(4),
			       .row = below(PLAN_SLOTS) };
	if (!has_lease && c->range != STORE_POOL)
		c->range = STORE_SLOT;
	bit = 1U << (c->range == STORE_SLOT ? 4 + c->row : c->range);
	if (*written & bit)
		return false;
	*written |= bit;
	/* A word that is set outlives the lease; then the word of a member or
	 * waiter would belong to nobody. */
	c->kind = below(3) == 0 ? CLAUSE_DROP : CLAUSE_PUT;
	if (c->kind == CLAUSE_PUT &&
	    (c->range == STORE_POOL ||
	     (c->range == STORE_SLOT && below(4) == 0)))
		c->kind = CLAUSE_SET;
	c->value = c->range == STORE_POOL
			   ? store_pool(PLAN_SLOTS + below(2), below(2))
		   : c->range == STORE_MEMBER ? 0
					      : 1 + below(2);
	return true;
}

static void make_plan(unsigned p, bool has_lease, struct plan *plan)
{
	const unsigned alternatives = 1 + below(4);

	plan->count = 0;
	for (unsigned i = 0; i < alternatives; i++) {
		unsigned written = 0;

		if (i)
			plan->clause[plan->count++] = (struct planned){
				.kind = CLAUSE_ELSE
			};
		for (unsigned j = below(4); j > 0; j--)
			plan->clause[plan->count++] = random_guard(p,
								   has_lease);
		for (unsigned j = 1 + below(3); j > 0; j--)
			if (random_write(has_lease, &written,
					 &plan->clause[plan->count]))
				plan->count++;
	}
}

static int make_in_etcd(unsigned p, const struct plan *plan)
{
	const struct shape *shape = &etcd[p]->shape;
	struct transaction t = mem_begin();

	for (unsigned i = 0; i < plan->count; i++) {
		const struct planned *c = &plan->clause[i];
		const bool whole = c->kind == CLAUSE_NONE ||
				   c->kind == CLAUSE_ALL;
		struct word *word = etcd[p]->words +
				    store_at(c->range, shape->k_max, shape->n);

		if (c->range == STORE_SLOT && !whole)
			word += c->row;
		transaction_add(&t, c->kind,
				c->kind == CLAUSE_ELSE ? NULL : word,
				whole ? (uint32_t)store_rows(c->range,
							     shape->k_max,
							     shape->n)
				      : 1,
				c->kind == CLAUSE_STAMP && c->value
					? stamp_of[c->value]
					: c->value);
	}
	return mem_commit(&etcd[p]->process, &t);
}

static bool knows_lease(unsigned p)
{
	return etcd[p]->lease->id != 0;
}

static bool puts_word(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->clause[i].kind == CLAUSE_PUT)
			return true;
	return false;
}

static void print_plan(const struct plan *plan)
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

static void commit(unsigned p)
{
	struct plan plan;
	int expected, made;

	make_plan(p, knows_lease(p), &plan);
	/* Nothing is sent for a lease that is known to have ended. */
	if (!knows_lease(p) && puts_word(&plan)) {
		if (make_in_etcd(p, &plan) != MEM_LAPSED)
			differ(p, "a word was put without a lease");
		lapsed++;
		return;
	}
	expected = simulated_make(p, &plan);
	made = make_in_etcd(p, &plan);
	if (made != expected) {
		printf("simulated %d, etcd %d\n", expected, made);
		print_plan(&plan);
		differ(p, "another answer");
	}
	if (made == MEM_LAPSED) {
		lapsed++;
		lease[p] = 0;
		return;
	}
	if (made == MEM_NONE)
		refused++;
	else
		answers[made]++;
	if (!same_view(p, false)) {
		print_plan(&plan);
		differ(p, "another view after a transaction");
	}
}

static void look(unsigned p)
{
	const bool by_watch = below(2) == 0;

	if (!by_watch) {
		watch_stop(&etcd[p]->watch);
		etcd[p]->fresh = false;
	}
	mem_survey(&etcd[p]->process);
	if (!by_watch && !same_view(p, false))
		differ(p, "another view");
	looks += !by_watch;
	watched += by_watch;
	/* Without a lease nothing waits; etcd_wait then returns at once. */
	while (by_watch && !same_view(p, true)) {
		etcd_pump(etcd[p], INT64_MAX, NULL, 0);
		mem_survey(&etcd[p]->process);
	}
}

/* Ends the lease of p in both stores; in etcd perhaps behind its back. */
static void end_lease(unsigned p)
{
	char body[64];

	if (simulated_has_lease(p))
		simulated_end_lease(p);
	if (below(2)) {
		mem_revoke(&etcd[p]->process);
		lease[p] = 0;
	} else {
		snprintf(body, sizeof body, "{\"ID\":\"%" PRId64 "\"}",
			 etcd[p]->lease->id);
		node_post("/v3/lease/revoke", body);
	}
}

static void step(void)
{
	const unsigned p = below(PLAN_PROCESSES);

	steps++;
	if (!knows_lease(p) && below(2)) {
		/* What the process lost, it has lost in both stores. */
		simulated_end_lease(p);
		simulated_grant(p);
		mem_lease(&etcd[p]->process);
		lease[p] = etcd[p]->lease->id;
		return;
	}
	switch (below(16)) {
	case 0:
		if (knows_lease(p))
			end_lease(p);
		break;
	case 1:
	case 2:
	case 3:
		look(p);
		break;
	default:
		commit(p);
	}
	if (steps % 256 == 0)
		watchdog_restart();
}

static void open_all(const char *node)
{
	static uint64_t own[PLAN_PROCESSES][64];

	for (unsigned p = 0; p < PLAN_PROCESSES; p++) {
		struct transaction t = mem_begin();

		etcd[p] = etcd_open(&(struct etcd_settings){
			.address = { .endpoints = &node, .count = 1 },
			.root = "atmost/same",
			.groups = true,
			.k = PLAN_SLOTS,
			.seconds = 3600,
			.member = "{}",
			.own = own[p] });
		if (!etcd[p])
			exit(2);
		mem_if_absent(&t, &etcd[p]->words[0]);
		mem_set(&t, &etcd[p]->words[0], store_pool(PLAN_SLOTS, false));
		mem_commit(&etcd[p]->process, &t);
	}
}

int main(void)
{
	const unsigned long most = size_is_small() ? 600 : 30000;
	const double until = clock_seconds() + (size_is_small() ? 20 : 45);
	unsigned long alternatives = 0;
	const char *node = node_start(NULL);

	random_state = prng_seed();
	watchdog_start("FAILED: the two stores do not come to the same view\n");
	simulated_begin();
	open_all(node);
	while (steps < most && clock_seconds() < until)
		step();
	for (unsigned i = 0; i < 8; i++)
		alternatives += answers[i];
	printf("%lu steps: %lu transactions made (%lu by a later alternative), "
	       "%lu refused, %lu lapsed, %lu looks, %lu by watch\n",
	       steps, alternatives, alternatives - answers[0], refused, lapsed,
	       looks, watched);
	puts("ok: the simulated store and etcd give the same answers");
	for (unsigned p = 0; p < PLAN_PROCESSES; p++)
		etcd_close(etcd[p], INT64_MAX);
	simulated_end();
	node_stop();
	return 0;
}
