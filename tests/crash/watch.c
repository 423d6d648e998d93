/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether things move, and who waits for what if they do not.
 */
#include "cast.h"
#include "runtime/pool.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 10 /* seconds */ };

/* Before status is asked, which would recover the dead and hide them. */
static void print_records(struct cast *cast)
{
	struct atmost *object = cast->object;

	for (unsigned id = 0; id < pool_used(object); id++) {
		struct record *r = pool_record(object, id);
		uint32_t life;

		memcpy(&life, r->life.cell, sizeof life);
		if (mem_peek(&r->state) & STATE_JOINED || life)
			printf("  member %2u  pid %ju  state %ju  turn %ju "
			       "phase %ju  life %#x\n",
			       id, (uintmax_t)mem_peek(&r->process.pid),
			       (uintmax_t)mem_peek(&r->state),
			       (uintmax_t)mem_peek(&r->turn) >> 2,
			       (uintmax_t)mem_peek(&r->turn) & TURN_PHASE,
			       life);
	}
	if (object->algorithm->holder)
		for (unsigned slot = 0; slot < pool_slots(object); slot++)
			printf("  slot %u: member %d\n", slot,
			       object->algorithm->holder(pool_words(object),
							 &object->shape, slot));
}

static void print_chairs(struct cast *cast)
{
	static const char *const how[] = { "for ever", "until a deadline",
					   "or not at all" };

	for (unsigned c = 0; c < CHAIRS; c++) {
		struct chair *chair = &cast->oracle->chair[c];

		if (cast->pid[c])
			printf("  chair %2u  pid %d  serial %u  %s%s %s  "
			       "%lu stops\n",
			       c, cast->pid[c], chair->serial,
			       oracle_doing_name(chair->doing),
			       chair->doing == ENTERING ? "," : "",
			       chair->doing == ENTERING ? how[chair->how] : "",
			       chair->reached);
	}
}

static void print_status(struct cast *cast)
{
	struct atmost_seat seat[CHAIRS];
	struct atmost_totals totals;
	int count = atmost_status(cast->object, seat, CHAIRS, &totals);

	printf("  atmost_status: %d  k %u  members %u  holders %u  waiters %u  "
	       "recovered %ju  lost %u\n",
	       count, totals.k, totals.members, totals.holders, totals.waiters,
	       (uintmax_t)totals.recovered, totals.lost);
	for (int i = 0; i < count && i < CHAIRS; i++)
		printf("    slot %d  position %u  pid %d\n", seat[i].slot,
		       seat[i].position, seat[i].pid);
}

void cast_fail(struct cast *cast, const char *format, ...)
{
	va_list list;

	printf("FAILED: %s: ", cast->where);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n  %s k=%u n=%u, after %lu kills; ATMOST_SEED=%ju\n",
	       cast->shape.algorithm ? cast->shape.algorithm : "?",
	       cast->shape.k, cast->shape.members, cast->kills,
	       (uintmax_t)cast->seed);
	printf("  the object is left in %s\n", getenv("ATMOST_DIR"));
	print_chairs(cast);
	if (cast->object) {
		print_records(cast);
		print_status(cast);
	}
	fflush(stdout);
	for (unsigned c = 0; c < CHAIRS; c++)
		if (cast->pid[c] > 0)
			kill(cast->pid[c], SIGKILL);
	exit(1);
}

static unsigned long movement(const struct cast *cast)
{
	unsigned long sum = cast->serial;

	for (unsigned c = 0; c < CHAIRS; c++)
		sum += atomic_load(&cast->oracle->chair[c].passages);
	return sum;
}

void cast_watch(struct cast *cast)
{
	unsigned long moved = movement(cast);
	double now = cast_now();

	if (atomic_load(&cast->oracle->violated))
		cast_fail(cast, "%s", cast->oracle->violation);
	if (moved != cast->moved) {
		cast->moved = moved;
		cast->moved_at = now;
	} else if (now - cast->moved_at > PATIENCE) {
		cast_fail(cast, "nothing has moved for %d seconds", PATIENCE);
	}
}
