/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measuring costs the same with every contender: two reads of the clock, three
 * additions to two shared counters and 16 bytes written to the worker's own
 * log.  With sessions there is a third read of the clock, for the time inside.
 * sample.c evaluates the log after the slice.
 *
 * Accesses to the counters are relaxed, because a contender must order memory
 * accesses itself.  Stronger accesses could hide that a contender's order is
 * too weak.
 */
#include "bench/comparison/cell_run.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/statistics.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/*
 * counters->entries: 32 bits count the entries, 12 bits count the workers
 * inside, and 20 bits hold the sum of the sessions of the workers inside.  If m
 * workers of session a are inside, a worker of session b that enters finds the
 * sum m * a, which is m * b only if a = b.
 */
#define ONE_INSIDE (UINT64_C(1) << 32)
#define ONE_SESSION (UINT64_C(1) << 44)
#define INSIDE_MOST (ONE_SESSION / ONE_INSIDE - 1)

static void set_position(struct worker_record *record, enum position position)
{
	atomic_store_explicit(&record->position, (int)position,
			      memory_order_relaxed);
}

__attribute__((cold)) static void raise_most_inside(struct counters *counters,
						    unsigned inside)
{
	unsigned most = atomic_load(&counters->most_inside);

	while (inside > most &&
	       !atomic_compare_exchange_weak(&counters->most_inside, &most,
					     inside))
		continue;
}

/*
 * `before` is the value of counters->entries before this worker added itself.
 */
static void check_exclusion(const struct cell_run *run, uint64_t before,
			    uint64_t session)
{
	const uint64_t others = before / ONE_INSIDE & INSIDE_MOST;

	if (run->cell->k && others + 1 > run->cell->k)
		raise_most_inside(run->counters, (unsigned)others + 1);
	if (before / ONE_SESSION != others * session)
		atomic_store(&run->counters->mixed, true);
}

static uint64_t choose_session(const struct cell_run *run,
			       struct worker_record *record, unsigned id)
{
	const unsigned sessions = run->cell->sessions;

	if (run->cell->random)
		return 1 + statistics_random(&record->random) % sessions;
	return sessions ? 1 + id % sessions : 1;
}

/*
 * Keeps the last stay apart from the sum of the earlier stays, because the last
 * stay may end after the slice.
 */
static void record_stay(struct worker_record *record, int64_t entered)
{
	record->stays += record->left - record->entered;
	record->entered = entered;
	record->left = clock_now();
}

/*
 * The worker draws a number right before it calls enter, and another right
 * after enter has returned.  No other code must stand between the draws and the
 * call.
 */
static void pass(const struct cell_run *run, struct worker_record *record,
		 struct handle *h, struct passage *passage)
{
	struct counters *counters = run->counters;
	const uint64_t session = choose_session(run, record, h->process.id);
	const uint64_t one = session * ONE_SESSION + ONE_INSIDE;
	uint64_t before;
	int64_t start, entered;

	h->process.session = session;
	set_position(record, WAITING);
	start = clock_now();
	passage->arrival = atomic_fetch_add_explicit(&counters->arrivals, 1,
						     memory_order_relaxed);
	h->enter(h);
	before = atomic_fetch_add_explicit(&counters->entries, one + 1,
					   memory_order_relaxed);
	entered = clock_now();
	passage->wait = entered - start;
	passage->entry = (uint32_t)before;
	set_position(record, INSIDE);
	check_exclusion(run, before, session);
	if (run->cell->section->sleeps)
		section_sleep(run->cell->section->time);
	else
		section_work(run->turns);
	if (run->cell->sessions)
		record_stay(record, entered);
	atomic_fetch_sub_explicit(&counters->entries, one,
				  memory_order_relaxed);
	set_position(record, LEAVING);
	h->leave(h);
}

/*
 * Every worker makes at least one passage, so that the sample's share is
 * finite.
 */
static void make_passages(void *context, unsigned id, unsigned contender)
{
	struct cell_run *run = context;
	struct worker_record *record = &run->counters->records[id];
	struct passage *log = run->log + id * run->log_each;
	struct handle h = contender_join(&run->contenders->item[contender], id);
	int64_t cpu;
	size_t count = 0;

	record->random = run->counters->seed + id;
	record->entered = record->left = record->stays = 0;
	workers_meet(&run->workers, id);
	cpu = clock_cpu();
	do {
		pass(run, record, &h, &log[count++]);
		/*
		 * If the log is full, the work was faster than section_speed
		 * predicted.
		 */
		if (count == run->log_each)
			workers_stop(&run->workers);
	} while (!workers_are_stopping(&run->workers));
	set_position(record, OUTSIDE);
	record->cpu = clock_cpu() - cpu;
	record->count = count;
}

/* A log has room for 1.5 times the passages that a worker alone could make. */
static bool make_memory(struct cell_run *run, double seconds)
{
	const unsigned n = run->cell->n;
	const double shortest = (double)run->cell->section->time / SECOND;

	run->log_each = (size_t)(1.5 * seconds / shortest) + 64;
	run->log = map_shared(n * run->log_each * sizeof *run->log);
	run->counters_size = sizeof *run->counters +
			     n * sizeof *run->counters->records;
	run->counters = map_shared(run->counters_size);
	if (run->log && run->counters)
		return true;
	fprintf(stderr, "%s: memory of %u workers: %s\n", bench.name, n,
		strerror(errno));
	return false;
}

bool cell_run_start(struct cell_run *run, const struct cell *cell,
		    const struct contenders *contenders, double seconds,
		    double speed, int64_t patience)
{
	*run = (struct cell_run){
		.cell = cell,
		.contenders = contenders,
		.turns = (uint64_t)(speed * (double)cell->section->time),
		.workers = {
			.n = cell->n,
			.processes = cell->processes,
			.patience = patience,
			.context = run,
			.slice = make_passages,
		},
	};
	return make_memory(run, seconds) && workers_start(&run->workers);
}

enum ending cell_run_slice(struct cell_run *run, unsigned contender,
			   double seconds)
{
	struct counters *counters = run->counters;

	atomic_store(&counters->arrivals, 0);
	atomic_store(&counters->entries, 0);
	if (!workers_slice(&run->workers, contender, seconds))
		return HUNG;
	if (atomic_load(&counters->mixed))
		return TWO_SESSIONS_INSIDE;
	return atomic_load(&counters->most_inside) ? TOO_MANY_INSIDE : ENDED;
}

void cell_run_print_positions(const struct cell_run *run)
{
	static const char *const names[] = {
		[OUTSIDE] = "outside",
		[WAITING] = "waiting",
		[INSIDE] = "inside",
		[LEAVING] = "leaving",
	};

	for (unsigned id = 0; id < run->cell->n; id++) {
		const struct worker_record *record =
			&run->counters->records[id];
		const char *death = workers_death(&run->workers, id);

		fprintf(stderr, "  worker %u: %s%s%s\n", id,
			names[atomic_load(&record->position)],
			death ? ", dead: " : "", death ? death : "");
	}
}

void cell_run_end(struct cell_run *run)
{
	workers_end(&run->workers);
	munmap(run->log, run->cell->n * run->log_each * sizeof *run->log);
	munmap(run->counters, run->counters_size);
}
