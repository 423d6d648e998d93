/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a participant does in a slice.  The bookkeeping is the same for every
 * contender: two looks at the clock, three additions to two shared counters,
 * 16 bytes written to a log of its own.  What the log means is found out
 * afterwards, in harvest.c.
 *
 * The counters are relaxed: who counts must not put the order there that a
 * contender owes.
 */
#define _GNU_SOURCE

#include "bench/common/crew.h"

#include "bench/common/clock.h"

#define ONE_INSIDE (UINT64_C(1) << 32)

static uint32_t arrive(struct hall *hall)
{
	return atomic_fetch_add_explicit(&hall->arrivals, 1,
					 memory_order_relaxed);
}

static uint64_t come_in(struct hall *hall)
{
	return atomic_fetch_add_explicit(&hall->entries, ONE_INSIDE + 1,
					 memory_order_relaxed);
}

static void go_out(struct hall *hall)
{
	atomic_fetch_sub_explicit(&hall->entries, ONE_INSIDE,
				  memory_order_relaxed);
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

__attribute__((cold))
static void complain(struct hall *hall, unsigned inside)
{
	unsigned most = atomic_load(&hall->most_inside);

	while (inside > most && !atomic_compare_exchange_weak(
					&hall->most_inside, &most, inside))
		continue;
}

static void stay(const struct crew *crew, uint64_t before)
{
	unsigned inside = (unsigned)(before / ONE_INSIDE) + 1;

	if (inside > crew->cell->k)
		complain(crew->hall, inside);
	if (crew->cell->section->sleeps)
		section_sleep(crew->cell->section->time);
	else
		section_work(crew->turns);
	go_out(crew->hall);
}

/* The number is drawn next to the call: nothing else may come between. */
static void pass(const struct crew *crew, struct seat *seat, struct visitor *v,
		 struct passage *passage)
{
	struct hall *hall = crew->hall;
	uint64_t before;
	int64_t start;

	move(seat, WAITING);
	start = clock_now();
	passage->arrival = arrive(hall);
	v->enter(v);
	before = come_in(hall);
	passage->wait = clock_now() - start;
	passage->entry = (uint32_t)before;
	move(seat, INSIDE);
	stay(crew, before);
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
