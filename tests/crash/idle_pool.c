/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks a pool whose workers have all ended. */
#include "runtime/life.h"
#include "runtime/pool.h"
#include "workers.h"

static void check_status(struct workers *workers)
{
	struct atmost_totals totals;
	int count = atmost_status(workers->pool, NULL, 0, &totals);

	if (count != 0 || totals.holders || totals.waiters || totals.lost ||
	    totals.members)
		workers_fail(workers,
			     "afterwards status shows %d: members %u, "
			     "holders %u, waiters %u, lost %u",
			     count, totals.members, totals.holders,
			     totals.waiters, totals.lost);
}

static void check_own_words(struct workers *workers, unsigned id)
{
	struct atmost *pool = workers->pool;
	const struct algorithm *a = pool->algorithm;
	const uint64_t *own = pool_own(pool, id);
	unsigned kept = a->own_persistent ? a->own_persistent(&pool->shape) : 0;
	unsigned count = a->own_words ? a->own_words(&pool->shape) : 0;

	for (unsigned i = kept; i < count; i++)
		if (own[i] != 0)
			workers_fail(workers,
				     "afterwards own word %u of member %u "
				     "is %#jx",
				     i, id, (uintmax_t)own[i]);
}

/* A group pool without a limit has k = 0 in its words at first, and k = n after
 * a resize. */
static bool is_quiet(const struct atmost *pool)
{
	struct shape shape = pool->shape;

	shape.k = (unsigned)mem_peek(&pool->header->k_now);
	if (pool->algorithm->quiet(pool_words(pool), &shape))
		return true;
	if (shape.k > 0)
		return false;
	shape.k = shape.n;
	return pool->algorithm->quiet(pool_words(pool), &shape);
}

static void check_segment(struct workers *workers)
{
	struct atmost *pool = workers->pool;

	for (unsigned id = 0; id < pool->shape.n; id++) {
		struct record *r = pool_record(pool, id);

		if (mem_peek(&r->state) & STATE_JOINED)
			workers_fail(workers,
				     "afterwards record %u is not vacant", id);
		check_own_words(workers, id);
	}
	if (!is_quiet(pool))
		workers_fail(workers, "afterwards the algorithm is not quiet");
}

/* Checks that the oracle has no holder left. */
static void check_oracle(struct workers *workers)
{
	struct oracle *oracle = workers->oracle;

	if (atomic_load(&oracle->there))
		workers_fail(workers, "afterwards the oracle has %#jx inside",
			     (uintmax_t)atomic_load(&oracle->there));
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		uint32_t owner = atomic_load(&oracle->owner[slot]);

		if (owner && !atomic_load(&oracle->killed[owner % SERIALS]))
			workers_fail(workers,
				     "afterwards serial %u holds slot %u, "
				     "and was not killed",
				     owner, slot);
	}
}

/* Checks that a member of another session cannot enter beside a holder. */
static void check_sessions(struct workers *workers, struct atmost_member *other)
{
	const struct atmost_want now = {
		.session = workers_session(workers, 1),
		.flags = ATMOST_TRY,
	};

	if (now.session && atmost_enter(other, &now) != ATMOST_EBUSY)
		workers_fail(workers, "afterwards two sessions can be inside");
}

/*
 * Checks that k of the n members can be inside at the same time, and that one
 * more member would have to wait.  After a resize some of the open slots may
 * have numbers from k to k_max - 1.
 */
static void check_entries(struct workers *workers,
			  struct atmost_member **member, unsigned n)
{
	const struct atmost_want now = {
		.session = workers_session(workers, 0),
		.flags = ATMOST_TRY,
	};
	const unsigned k = workers_limit(workers), k_max = workers->shape.k_max;
	const int slots = (int)(k_max > k ? k_max : k);
	uint64_t taken = 0;

	for (unsigned i = 0; i < k && i < n; i++) {
		int slot = atmost_enter(member[i], &now);

		if (slot < 0)
			workers_fail(workers,
				     "afterwards only %u of %u can be "
				     "inside: %s",
				     i, k, atmost_detail());
		if (workers->algorithm->promises & UNIQUE_SLOTS &&
		    (slot >= slots || taken >> slot & 1))
			workers_fail(workers,
				     "afterwards slot %d is out of range or "
				     "given out twice",
				     slot);
		taken |= UINT64_C(1) << slot;
		if (i == 0 && n > 1)
			check_sessions(workers, member[n - 1]);
	}
	if (k < n && atmost_enter(member[k], &now) != ATMOST_EBUSY)
		workers_fail(workers, "afterwards more than %u can be inside",
			     k);
	for (unsigned i = 0; i < k && i < n; i++)
		if (atmost_leave(member[i]) < 0)
			workers_fail(workers, "afterwards: %s",
				     atmost_detail());
}

void idle_pool_check(struct workers *workers)
{
	const unsigned n = workers->shape.members;
	struct atmost_member *member[WORKERS_MOST], *more;

	check_oracle(workers);
	check_status(workers);
	check_segment(workers);
	for (unsigned i = 0; i < n; i++)
		if (atmost_join(workers->pool, &member[i]) < 0)
			workers_fail(workers,
				     "afterwards only %u of %u can join: %s", i,
				     n, atmost_detail());
	if (atmost_join(workers->pool, &more) != ATMOST_EFULL)
		workers_fail(workers, "afterwards more than %u can join", n);
	check_entries(workers, member, n);
	for (unsigned i = 0; i < n; i++)
		atmost_part(member[i]);
	check_status(workers);
	check_segment(workers);
}

void idle_pool_check_resized(struct workers *workers)
{
	const unsigned k = workers->shape.k;
	struct atmost_totals totals;

	if (atmost_status(workers->pool, NULL, 0, &totals) < 0)
		workers_fail(workers, "%s", atmost_detail());
	workers->shape.k = totals.k;
	idle_pool_check(workers);
	workers->shape.k = k;
	if (atmost_resize(workers->pool, k) < 0)
		workers_fail(workers, "%s", atmost_detail());
}
