/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is there, and how many may be.
 */
#include "runtime/entrust.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/recovery.h"
#include "runtime/self.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One who is there: waiters come after all holders. */
struct presence {
	unsigned id;
	int slot;      /* -1: waits */
	uint64_t rank; /* among the holders its slot, among waiters its turn */
};

static int by_rank(const void *a, const void *b)
{
	const struct presence *x = a, *y = b;

	if ((x->slot < 0) != (y->slot < 0))
		return x->slot < 0 ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static uint64_t phase_of(struct record *r)
{
	return mem_read(&r->turn) & TURN_PHASE;
}

/* Those the algorithm itself calls inside. */
static unsigned find_by_slot(struct atmost *object, struct presence *all,
			     bool *inside)
{
	const struct algorithm *a = object->algorithm;
	unsigned count = 0;

	for (unsigned slot = 0; slot < object_slots(object); slot++) {
		int id = a->holder(object_words(object), &object->shape, slot);

		/* Who moves meanwhile may be seen twice. */
		if (id < 0 || inside[id])
			continue;
		inside[id] = true;
		all[count++] = (struct presence){ (unsigned)id, (int)slot,
						  slot };
	}
	return count;
}

static bool waits(struct atmost *object, unsigned id, uint64_t *rank)
{
	const struct algorithm *a = object->algorithm;
	struct record *r = &object->records[id];

	if (a->rank) {
		*rank = a->rank(object_words(object), &object->shape, id);
		return *rank != 0;
	}
	*rank = member_since(r);
	return phase_of(r) == TURN_WAITING;
}

/* All that are inside or wait, in order; room for every member. */
static unsigned find_all(struct atmost *object, struct presence *all,
			 bool *inside)
{
	const struct algorithm *a = object->algorithm;
	unsigned count = a->holder ? find_by_slot(object, all, inside) : 0;

	for (unsigned id = 0; id < object->shape.n; id++) {
		struct record *r = &object->records[id];
		uint64_t rank;

		if (inside[id] || !(mem_read(&r->state) & 1))
			continue;
		if (!a->holder && phase_of(r) == TURN_INSIDE) {
			int slot = (int)(mem_read(&r->slot) & INT32_MAX);

			all[count++] = (struct presence){ id, slot,
							  (uint64_t)slot };
		} else if (waits(object, id, &rank)) {
			all[count++] = (struct presence){ id, -1, rank };
		}
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

static void describe(struct atmost *object, struct atmost_seat *seat,
		     const struct presence *who)
{
	struct record *r = &object->records[who->id];

	memset(seat, 0, sizeof *seat);
	seat->slot = who->slot;
	if (mem_read(&r->name_space) == self_name_space())
		seat->pid = (pid_t)mem_read(&r->pid);
	if (object->kind == ATMOST_GROUP)
		seat->session = mem_read(&r->session);
	member_stamp(r, mem_read(&r->turn));
	seat->since = time_of(member_since(r));
	entrust_read_text(r->command, seat->command);
	entrust_read_text(r->label, seat->label);
}

static void count_members(struct atmost *object, struct atmost_totals *totals)
{
	for (unsigned id = 0; id < object->shape.n; id++) {
		uint64_t state = mem_read(&object->records[id].state);

		totals->members += state & 1 && !recovery_is_left(object, id);
		totals->lost += recovery_is_lost(object, id);
	}
	totals->k = (unsigned)mem_read(&object->header->k_now);
	totals->recovered = mem_read(&object->header->recovered);
}

int atmost_inspect(struct atmost *object, struct atmost_shape *shape)
{
	int error = object_arrive(object);

	if (error)
		return error;
	*shape = (struct atmost_shape){
		.kind = object->kind,
		.k = (unsigned)mem_read(&object->header->k_now),
		.k_max = object->shape.k_max,
		.members = object->shape.n,
		.sessions = object->shape.sessions,
		.algorithm = object->algorithm->name,
	};
	return 0;
}

int atmost_status(struct atmost *object, struct atmost_seat *seats,
		  unsigned capacity, struct atmost_totals *totals)
{
	struct atmost_totals counted = { 0 };
	struct presence *all;
	unsigned count, filled = 0;
	bool *inside;
	int error = object_arrive(object);

	if (error)
		return error;
	all = calloc(object->shape.n, sizeof *all);
	inside = calloc(object->shape.n, sizeof *inside);
	if (!all || !inside) {
		free(all);
		free(inside);
		return error_is(ATMOST_ENOMEM);
	}
	counted.found = recovery_look(object);
	count = find_all(object, all, inside);
	for (unsigned i = 0; i < count; i++) {
		counted.holders += all[i].slot >= 0;
		counted.waiters += all[i].slot < 0;
		if (!seats || filled == capacity)
			continue;
		describe(object, &seats[filled], &all[i]);
		seats[filled++].position = all[i].slot < 0 ? counted.waiters
							   : 0;
	}
	free(all);
	free(inside);
	count_members(object, &counted);
	if (totals)
		*totals = counted;
	return (int)count;
}
