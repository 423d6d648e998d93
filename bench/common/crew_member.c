/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a participant does in a slice.  The bookkeeping is the same for every
 * contender: two looks at the clock, three additions to two shared counters,
 * 16 bytes written to a log of its own; where there are sessions a third look,
 * at how long it was inside.  What the log means is found out
 * afterwards, in harvest.c.
 *
 * The counters are relaxed: who counts must not put the order there that a
 * contender owes.
 */
#include "bench/common/crew.h"

#include "bench/common/clock.h"
#include "bench/common/statistics.h"

/*
 * hall->entries: 32 bits of entries, 12 of how many are inside, 20 of the sum
 * of their sessions.  The first of another session to come in finds a sum that
 * is not its own session as often as there are people inside: m of session a
 * and one of session b add up to (m + 1) b only if a = b.
 */
#define ONE_INSIDE (UINT64_C(1) << 32)
#define ONE_SESSION (UINT64_C(1) << 44)
#define INSIDE_MOST (ONE_SESSION / ONE_INSIDE - 1)

static uint32_t arrive(struct hall *hall)
{
	return atomic_fetch_add_explicit(&hall->arrivals, 1,
					 memory_order_relaxed);
}

/* What was there before. */
static uint64_t come_in(struct hall *hall, uint64_t session)
{
	const uint64_t one = session * ONE_SESSION + ONE_INSIDE;

	return atomic_fetch_add_explicit(&hall->entries, one + 1,
					 memory_order_relaxed);
}

static void go_out(struct hall *hall, uint64_t session)
{
	const uint64_t one = session * ONE_SESSION + ONE_INSIDE;

	atomic_fetch_sub_explicit(&hall->entries, one, memory_order_relaxed);
}

static void move(struct seat *seat, enum where where)
{
	atomic_store_explicit(&seat->where, (int)where, memory_order_relaxed);
}

void crew_stop(struct hall *hall)
{
	int_fast64_t not_yet = 0;

	atomic_compare_exchange_strong(&hall->stopped, &not_yet, clock_now());
	atomic_store(&hall->stop, true);
}

__attribute__((cold)) static void complain(struct hall *hall, unsigned inside)
{
	unsigned most = atomic_load(&hall->most_inside);

	while (inside > most &&
	       !atomic_compare_exchange_weak(&hall->most_inside, &most, inside))
		continue;
}

static void look_around(const struct crew *crew, uint64_t before,
			uint64_t session)
{
	const uint64_t others = before / ONE_INSIDE & INSIDE_MOST;

	if (crew->cell->k && others + 1 > crew->cell->k)
		complain(crew->hall, (unsigned)others + 1);
	if (before / ONE_SESSION != others * session)
		atomic_store(&crew->hall->mixed, true);
}

static void stay(const struct crew *crew)
{
	if (crew->cell->section->sleeps)
		section_sleep(crew->cell->section->time);
	else
		section_work(crew->turns);
}

static uint64_t ask(const struct crew *crew, struct seat *seat, unsigned id)
{
	const unsigned sessions = crew->cell->sessions;

	if (crew->cell->random)
		return 1 + statistics_random(&seat->random) % sessions;
	return sessions ? 1 + id % sessions : 1;
}

/* The last time is kept apart: it may be longer than the slice. */
static void remember(struct seat *seat, int64_t entered)
{
	seat->stays += seat->left - seat->entered;
	seat->entered = entered;
	seat->left = clock_now();
}

/* The number is drawn next to the call: nothing else may come between. */
static void pass(const struct crew *crew, struct seat *seat, struct visitor *v,
		 struct passage *passage)
{
	struct hall *hall = crew->hall;
	const uint64_t session = ask(crew, seat, v->process.id);
	uint64_t before;
	int64_t start, entered;

	v->process.session = session;
	move(seat, WAITING);
	start = clock_now();
	passage->arrival = arrive(hall);
	v->enter(v);
	before = come_in(hall, session);
	entered = clock_now();
	passage->wait = entered - start;
	passage->entry = (uint32_t)before;
	move(seat, INSIDE);
	look_around(crew, before, session);
	stay(crew);
	if (crew->cell->sessions)
		remember(seat, entered);
	go_out(hall, session);
	move(seat, LEAVING);
	v->leave(v);
}

/* Everybody makes one passage at least, so that shares can be compared. */
static void take_part(const struct crew *crew, unsigned id)
{
	struct hall *hall = crew->hall;
	struct seat *seat = &hall->seats[id];
	struct passage *log = crew->log + id * crew->log_each;
	struct visitor v = contender_join(&crew->line_up->of[hall->chosen], id);
	int64_t cpu;
	size_t count = 0;

	seat->random = hall->seed + id;
	seat->entered = seat->left = seat->stays = 0;
	seat->ready = clock_now();
	if (pthread_barrier_wait(&hall->together))
		sem_post(&hall->begun); /* one of all */
	cpu = clock_cpu();
	do {
		pass(crew, seat, &v, &log[count++]);
		/* Work was faster than ever measured: a shorter slice. */
		if (count == crew->log_each)
			crew_stop(hall);
	} while (!atomic_load_explicit(&hall->stop, memory_order_relaxed));
	move(seat, AT_HOME);
	seat->cpu = clock_cpu() - cpu;
	seat->count = count;
}

void crew_serve(struct crew *crew, unsigned id)
{
	struct hall *hall = crew->hall;

	for (;;) {
		while (sem_wait(&hall->seats[id].go) < 0)
			continue;
		if (hall->over)
			return;
		take_part(crew, id);
		sem_post(&hall->done);
	}
}
