/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks whether the workers make progress; if not, prints what each worker
 * does.
 */
#include "common/watchdog.h"
#include "runtime/pool.h"
#include "workers.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Prints the records of the pool.  Must be called before atmost_status, which
 * would recover the dead members.
 */
static void print_records(struct workers *workers)
{
	struct atmost *pool = workers->pool;

	for (unsigned id = 0; id < pool_used(pool); id++) {
		struct record *r = pool_record(pool, id);
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
	if (pool->algorithm->holder)
		for (unsigned slot = 0; slot < pool_slots(pool); slot++)
			printf("  slot %u: member %d\n", slot,
			       pool->algorithm->holder(pool_words(pool),
						       &pool->shape, slot));
}

static void print_workers(struct workers *workers)
{
	static const char *const how[] = { "for ever", "until a deadline",
					   "or not at all" };

	for (unsigned c = 0; c < WORKERS_MOST; c++) {
		struct worker_state *worker = &workers->oracle->worker[c];

		if (workers->pid[c])
			printf("  worker %2u  pid %d  serial %u  %s%s %s  "
			       "%lu stops\n",
			       c, workers->pid[c], worker->serial,
			       oracle_doing_name(worker->doing),
			       worker->doing == ENTERING ? "," : "",
			       worker->doing == ENTERING ? how[worker->how]
							 : "",
			       worker->reached);
	}
}

static void print_status(struct workers *workers)
{
	struct atmost_seat seat[WORKERS_MOST];
	struct atmost_totals totals;
	int count = atmost_status(workers->pool, seat, WORKERS_MOST, &totals);

	printf("  atmost_status: %d  k %u  members %u  holders %u  waiters %u  "
	       "recovered %ju  lost %u\n",
	       count, totals.k, totals.members, totals.holders, totals.waiters,
	       (uintmax_t)totals.recovered, totals.lost);
	for (int i = 0; i < count && i < WORKERS_MOST; i++)
		printf("    slot %d  position %u  pid %d\n", seat[i].slot,
		       seat[i].position, seat[i].pid);
}

void workers_fail(struct workers *workers, const char *format, ...)
{
	va_list list;

	printf("FAILED: %s: ", workers->where);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n  %s k=%u n=%u, after %lu kills; ATMOST_SEED=%ju\n",
	       workers->shape.algorithm ? workers->shape.algorithm : "?",
	       workers->shape.k, workers->shape.members, workers->kills,
	       (uintmax_t)workers->seed);
	printf("  the pool is left in %s\n", getenv("ATMOST_DIR"));
	print_workers(workers);
	if (workers->pool) {
		print_records(workers);
		print_status(workers);
	}
	fflush(stdout);
	for (unsigned c = 0; c < WORKERS_MOST; c++)
		if (workers->pid[c] > 0)
			kill(workers->pid[c], SIGKILL);
	exit(1);
}

static unsigned long count_progress(const struct workers *workers)
{
	unsigned long sum = workers->serial;

	for (unsigned c = 0; c < WORKERS_MOST; c++)
		sum += atomic_load(&workers->oracle->worker[c].passages);
	return sum;
}

void workers_watch(struct workers *workers)
{
	unsigned long moved = count_progress(workers);
	double now = clock_seconds();

	if (atomic_load(&workers->oracle->violated))
		workers_fail(workers, "%s", workers->oracle->violation);
	if (moved != workers->moved) {
		workers->moved = moved;
		workers->moved_at = now;
	} else if (now - workers->moved_at > WATCHDOG_SECONDS) {
		workers_fail(workers,
			     "no worker has made progress for %d seconds",
			     WATCHDOG_SECONDS);
	}
}
