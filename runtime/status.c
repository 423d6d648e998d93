/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Implements atmost_inspect, which shows the shape of a pool, and
 * atmost_status, which shows the members that are inside or wait.
 */
#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/recovery.h"
#include "runtime/remote.h"
#include "runtime/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A holder or a waiter. */
struct presence {
	unsigned id;
	int slot;      /* -1: a waiter */
	uint64_t rank; /* a holder's slot, or a waiter's rank */
	uint64_t session;
};

/* Holders come before waiters. */
static int by_rank(const void *a, const void *b)
{
	const struct presence *x = a, *y = b;

	if ((x->slot < 0) != (y->slot < 0))
		return x->slot < 0 ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

/* Finds the holders, if the algorithm tells which member holds a slot. */
static unsigned find_by_slot(struct atmost *pool, unsigned used,
			     struct presence *all, bool *inside)
{
	const struct algorithm *a = pool->algorithm;
	unsigned count = 0;

	for (unsigned slot = 0; slot < pool_slots(pool); slot++) {
		int id = a->holder(pool_words(pool), &pool->shape, slot);

		/*
		 * A member that changes its slot during this loop may be seen
		 * twice.
		 */
		if (id < 0 || id >= (int)used || inside[id])
			continue;
		inside[id] = true;
		all[count++] = (struct presence){
			(unsigned)id, (int)slot, slot,
			mem_read(&pool_record(pool, (unsigned)id)->session)
		};
	}
	return count;
}

/* True: the algorithm does not tell which member holds a slot, and the record
 * shows the member inside. */
static bool is_inside_by_record(const struct atmost *pool, unsigned id,
				struct passage *passage)
{
	return !pool->algorithm->holder &&
	       record_read_passage(pool_record(pool, id), passage) &&
	       passage->phase == TURN_INSIDE;
}

static bool waits(const struct atmost *pool, unsigned id, uint64_t *rank)
{
	const struct algorithm *a = pool->algorithm;
	const struct record *r = pool_record(pool, id);

	if (a->rank) {
		*rank = a->rank(pool_words(pool), &pool->shape, id);
		return *rank != 0;
	}
	*rank = record_since(r);
	return record_phase(r) == TURN_WAITING;
}

/* Finds all holders and waiters among the first `used` members, and sorts
 * them.  `all` has room for all these members. */
static unsigned find_all(struct atmost *pool, unsigned used,
			 struct presence *all, bool *inside)
{
	const struct algorithm *a = pool->algorithm;
	unsigned count = a->holder ? find_by_slot(pool, used, all, inside) : 0;

	for (unsigned id = 0; id < used; id++) {
		struct record *r = pool_record(pool, id);
		struct passage passage;
		uint64_t rank;

		if (inside[id] || !record_is_joined(r))
			continue;
		if (is_inside_by_record(pool, id, &passage))
			all[count++] = (struct presence){
				id, passage.slot, (uint64_t)passage.slot,
				passage.session
			};
		else if (waits(pool, id, &rank))
			all[count++] = (struct presence){
				id, -1, rank, mem_read(&r->session)
			};
	}
	qsort(all, count, sizeof *all, by_rank);
	return count;
}

static struct timespec time_of(uint64_t clock)
{
	uint64_t ns = clock << 20;

	return (struct timespec){
		.tv_sec = (time_t)(ns / 1000000000),
		.tv_nsec = (long)(ns % 1000000000),
	};
}

static enum atmost_life life_of(enum death death)
{
	switch (death) {
	case DEATH_UNLOCKED:
		return ATMOST_LIFE_UNLOCKED;
	case DEATH_UNKNOWN:
		return ATMOST_LIFE_UNKNOWN;
	default:
		return ATMOST_LIFE_CERTAIN;
	}
}

static void describe(const struct death_look *look, struct atmost_seat *seat,
		     const struct presence *one)
{
	struct atmost *pool = look->pool;
	struct record *r = pool_record(pool, one->id);
	const struct identity process = record_read_identity(
		mem_read(&r->state) & STATE_ENTRUSTED ? &r->entrusted
						      : &r->process);

	memset(seat, 0, sizeof *seat);
	seat->slot = one->slot;
	if (process.space && process.space == look->self.space)
		seat->pid = (pid_t)process.pid;
	seat->life = life_of(death_of(look, one->id, NULL));
	if (pool->kind == ATMOST_GROUP)
		seat->session = one->session;
	record_stamp(r);
	seat->since = time_of(record_since(r));
	record_read_text(r->command, seat->command);
	record_read_text(r->label, seat->label);
}

/*
 * A dead member counts as lost if the algorithm cannot recover it.  A dead
 * member of a shared object counts neither as lost nor as joined if this
 * program does not have the object type: a program that has the type can
 * recover the member.
 */
static void count_members(const struct death_look *look,
			  struct atmost_totals *totals)
{
	struct atmost *pool = look->pool;

	for (unsigned id = 0; id < pool_used(pool); id++) {
		if (!record_is_joined(pool_record(pool, id)))
			continue;
		totals->members++;
		if (recovery_is_possible(pool, id) ||
		    death_of(look, id, NULL) != DEATH_DEAD)
			continue;
		if (pool_is_known(pool))
			totals->lost++;
		else
			totals->members--;
	}
	totals->k = (unsigned)mem_read(&pool->header->k_now);
	totals->recovered = mem_read(&pool->header->recovered);
}

int atmost_inspect(struct atmost *pool, struct atmost_shape *shape)
{
	int error = pool_arrive(pool);

	if (error)
		return error;
	if (pool->calls)
		return remote_inspect(pool, shape);
	*shape = (struct atmost_shape){
		.kind = pool->kind,
		.k = (unsigned)mem_read(&pool->header->k_now),
		.k_max = pool->shape.k_max,
		.members = pool->shape.n,
		.sessions = pool->shape.sessions,
		.algorithm = pool->algorithm->name,
		.names = pool->names,
	};
	return 0;
}

static int find_and_describe(struct atmost *pool, struct atmost_seat *seats,
			     unsigned capacity, struct atmost_totals *totals)
{
	const unsigned used = pool_used(pool);
	struct atmost_totals counted = { 0 };
	struct death_look look;
	struct presence *all;
	unsigned count, filled = 0;
	bool *inside;

	all = calloc(used + 1, sizeof *all);
	inside = calloc(used + 1, sizeof *inside);
	if (!all || !inside) {
		free(all);
		free(inside);
		return error_is(ATMOST_ENOMEM);
	}
	counted.found = sweep_all(pool, NULL);
	death_look_begin(&look, pool);
	count = find_all(pool, used, all, inside);
	for (unsigned i = 0; i < count; i++) {
		counted.holders += all[i].slot >= 0;
		counted.waiters += all[i].slot < 0;
		if (!seats || filled == capacity)
			continue;
		describe(&look, &seats[filled], &all[i]);
		seats[filled++].position = all[i].slot < 0 ? counted.waiters
							   : 0;
	}
	free(all);
	free(inside);
	count_members(&look, &counted);
	if (totals)
		*totals = counted;
	return (int)count;
}

int atmost_status(struct atmost *pool, struct atmost_seat *seats,
		  unsigned capacity, struct atmost_totals *totals)
{
	int cancel = quiet_refuse_cancel();
	int result = pool_arrive(pool);

	if (!result && pool->calls)
		result = remote_status(pool, seats, capacity, totals);
	else if (!result)
		result = find_and_describe(pool, seats, capacity, totals);
	quiet_allow_cancel(cancel);
	return result;
}
