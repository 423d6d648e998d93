/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulated store and etcd give the same answers: random transactions,
 * leases and looks of three processes, with stamps compared by order.  So what
 * the checker searches is what etcd does.
 *
 * A step waits for etcd most of its time.  So several workers, each with a pool
 * and a simulated store of its own, use one etcd at the same time.  Set
 * ATMOST_SEED to repeat a run; each worker's steps depend on the seed alone.
 */
#include "common/clock.h"
#include "common/prng.h"
#include "common/size.h"
#include "common/watchdog.h"
#include "memory/etcd/etcd.h"
#include "node.h"
#include "plan.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STAMPS = 1 << 20, WORKERS = 4 };

struct counts {
	unsigned long steps, made, made_later, refused, lapsed, looks, watched;
};

static uint64_t random_state;
static struct etcd *etcd[PLAN_PROCESSES];
/* The lease of each process.  The lease may have ended without the process
 * knowing. */
static int64_t lease[PLAN_PROCESSES];
/* etcd's stamp for each stamp of the simulated store; 0: not seen yet. */
static uint64_t stamp_of[STAMPS];
static uint64_t last_stamp;
static unsigned worker;
static struct counts *count; /* of this worker; shared with the parent */

static void differ(unsigned p, const char *what)
{
	printf("FAILED: worker %u, step %lu, process %u: %s\n", worker,
	       count->steps, p, what);
	fflush(stdout);
	_exit(1);
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
 * Compares what p sees.  A watch does not report waiters that come or are
 * written again.  So after a watch each waiter that p sees must be in the
 * store, but p need not see all waiters.
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

static void commit(unsigned p)
{
	struct plan plan;
	int expected, made;

	plan_make(&random_state, p, knows_lease(p), &plan);
	/* Nothing is sent for a lease that is known to have ended. */
	if (!knows_lease(p) && plan_puts_word(&plan)) {
		if (make_in_etcd(p, &plan) != MEM_LAPSED)
			differ(p, "a word was put without a lease");
		count->lapsed++;
		return;
	}
	expected = simulated_make(p, &plan);
	made = make_in_etcd(p, &plan);
	if (made != expected) {
		printf("simulated %d, etcd %d\n", expected, made);
		plan_print(&plan);
		differ(p, "another answer");
	}
	if (made == MEM_LAPSED) {
		count->lapsed++;
		lease[p] = 0;
		return;
	}
	count->refused += made == MEM_NONE;
	count->made += made >= 0;
	count->made_later += made > 0;
	if (!same_view(p, false)) {
		plan_print(&plan);
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
	count->looks += !by_watch;
	count->watched += by_watch;
	/* Without a lease, etcd_wait returns at once. */
	while (by_watch && !same_view(p, true)) {
		etcd_pump(etcd[p], INT64_MAX, NULL, 0);
		mem_survey(&etcd[p]->process);
	}
}

/* Ends the lease of p in both stores; in etcd perhaps behind its back, by the
 * wire of another process. */
static void end_lease(unsigned p)
{
	struct lease same = { .id = etcd[p]->lease->id };

	if (simulated_has_lease(p))
		simulated_end_lease(p);
	if (below(2)) {
		mem_revoke(&etcd[p]->process);
		lease[p] = 0;
	} else {
		if (!lease_revoke(etcd[(p + 1) % PLAN_PROCESSES]->wire, &same,
				  INT64_MAX))
			differ(p, "etcd does not revoke a lease");
		lease_free(&same);
	}
}

static void step(void)
{
	const unsigned p = below(PLAN_PROCESSES);

	count->steps++;
	if (!knows_lease(p) && below(2)) {
		/* The process has lost its lease in etcd, so it loses it in the
		 * simulated store, too. */
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
	if (count->steps % 256 == 0)
		watchdog_restart();
}

static void open_all(const char *node)
{
	static uint64_t own[PLAN_PROCESSES][64];
	char root[32];

	snprintf(root, sizeof root, "atmost/same-%u", worker);
	for (unsigned p = 0; p < PLAN_PROCESSES; p++) {
		struct transaction t = mem_begin();

		etcd[p] = etcd_open(&(struct etcd_settings){
			.address = { .endpoints = &node, .count = 1 },
			.root = root,
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

/* Takes this worker's steps. */
static void work(const char *node, uint64_t seed, unsigned long most,
		 double until)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	random_state = seed + worker;
	watchdog_start("FAILED: the two stores do not come to the same view\n");
	simulated_begin();
	open_all(node);
	while (count->steps < most && clock_seconds() < until)
		step();
	for (unsigned p = 0; p < PLAN_PROCESSES; p++)
		etcd_close(etcd[p], INT64_MAX);
	simulated_end();
	exit(0);
}

/* Waits for all workers.  Returns whether all have succeeded. */
static bool join(unsigned workers)
{
	bool good = true;
	int status;

	for (; workers; workers--)
		good &= wait(&status) > 0 && WIFEXITED(status) &&
			WEXITSTATUS(status) == 0;
	return good;
}

static void print(const struct counts *counts, unsigned workers)
{
	struct counts all = { 0 };

	for (unsigned i = 0; i < workers; i++) {
		all.steps += counts[i].steps;
		all.made += counts[i].made;
		all.made_later += counts[i].made_later;
		all.refused += counts[i].refused;
		all.lapsed += counts[i].lapsed;
		all.looks += counts[i].looks;
		all.watched += counts[i].watched;
	}
	printf("%lu steps: %lu transactions made (%lu by a later alternative), "
	       "%lu refused, %lu lapsed, %lu looks, %lu by watch\n",
	       all.steps, all.made, all.made_later, all.refused, all.lapsed,
	       all.looks, all.watched);
}

int main(void)
{
	const bool small = size_is_small();
	const unsigned workers = small ? 2 : WORKERS;
	const unsigned long most = (small ? 600 : 60000) / workers;
	const uint64_t seed = prng_seed();
	const char *node = node_start(NULL);
	const double until = clock_seconds() + (small ? 20 : 50);
	struct counts *counts = mmap(NULL, WORKERS * sizeof *counts,
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool good;

	fflush(stdout);
	for (worker = 0; worker < workers; worker++) {
		count = &counts[worker];
		if (fork() == 0)
			work(node, seed, most, until);
	}
	good = join(workers);
	print(counts, workers);
	if (good)
		puts("ok: the simulated store and etcd give the same answers");
	node_stop();
	return good ? 0 : 1;
}
