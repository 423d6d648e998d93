/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is there, and how many may be.
 */
#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/recovery.h"

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

/* Those the algorithm itself calls inside. */
static unsigned find_by_slot(struct atmost *object, struct presence *all,
			     bool *inside)
{
	const struct algorithm *a = object->algorithm;
	unsigned count = 0;

	for (unsigned slot = 0; slot < object_slots(object); slot++) {
		int id = a->holder(object_words(object), &object->shape, slot);

		/* A member that moves meanwhile may be seen twice. */
		if (id < 0 || id >= (int)object_used(object) || inside[id])
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
	struct record *r = object_record(object, id);

	if (a->rank) {
		*rank = a->rank(object_words(object), &object->shape, id);
		return *rank != 0;
	}
	*rank = record_since(r);
	return record_phase(r) == TURN_WAITING;
}

/* All that are inside or wait, in order; room for every member. */
static unsigned find_all(struct atmost *object, struct presence *all,
			 bool *inside)
{
	const struct algorithm *a = object->algorithm;
	unsigned count = a->holder ? find_by_slot(object, all, inside) : 0;

	for (unsigned id = 0; id < object_used(object); id++) {
		struct record *r = object_record(object, id);
		uint64_t rank;

		if (inside[id] || !record_is_joined(r))
			continue;
		if (!a->holder && record_phase(r) == TURN_INSIDE) {
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
	struct atmost *object = look->object;
	struct record *r = object_record(object, one->id);
	const struct identity process = record_read_identity(
		mem_read(&r->state) & STATE_ENTRUSTED ? &r->entrusted
						      : &r->process);

	memset(seat, 0, sizeof *seat);
	seat->slot = one->slot;
	if (process.space && process.space == look->self.space)
		seat->pid = (pid_t)process.pid;
	seat->life = life_of(death_of(look, one->id, NULL));
	if (object->kind == ATMOST_GROUP)
		seat->session = mem_read(&r->session);
	record_stamp(r, mem_read(&r->turn));
	seat->since = time_of(record_since(r));
	record_read_text(r->command, seat->command);
	record_read_text(r->label, seat->label);
}

static void count_members(struct atmost *object, struct atmost_totals *totals)
{
	for (unsigned id = 0; id < object_used(object); id++) {
		bool joined = record_is_joined(object_record(object, id));

		totals->members += joined && !recovery_is_left(object, id);
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

static int find_and_describe(struct atmost *object, struct atmost_seat *seats,
			     unsigned capacity, struct atmost_totals *totals)
{
	struct atmost_totals counted = { 0 };
	struct death_look look;
	struct presence *all;
	unsigned count, filled = 0;
	bool *inside;

	all = calloc(object->shape.n, sizeof *all);
	inside = calloc(object->shape.n, sizeof *inside);
	if (!all || !inside) {
		free(all);
		free(inside);
		return error_is(ATMOST_ENOMEM);
	}
	counted.found = recovery_look_at_all(object);
	death_look_begin(&look, object);
	count = find_all(object, all, inside);
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
	count_members(object, &counted);
	if (totals)
		*totals = counted;
	return (int)count;
}

int atmost_status(struct atmost *object, struct atmost_seat *seats,
		  unsigned capacity, struct atmost_totals *totals)
{
	int cancel = quiet_refuse_cancel();
	int result = object_arrive(object);

	if (!result)
		result = find_and_describe(object, seats, capacity, totals);
	quiet_allow_cancel(cancel);
	return result;
}

int atmost_evict(struct atmost *object, unsigned slot)
{
	int cancel = quiet_refuse_cancel();
	int error = object_arrive(object);

	if (!error && !object_is_known(object))
		error = error_say(ATMOST_ESHAPE,
				  "this is a shared object: the "
				  "programs that use it recover its dead");
	if (!error)
		error = recovery_force(object, slot);
	quiet_allow_cancel(cancel);
	return error;
}
