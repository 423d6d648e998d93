/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/enter/slices.h"

#include "bench/common/clock.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Binds the thread to one of the cpus that it is allowed to use.  If there are
 * c such cpus, this is the one with index i modulo c.
 */
static void run_on(unsigned i)
{
	cpu_set_t may, only;
	size_t cpu = 0;

	if (sched_getaffinity(0, sizeof may, &may) != 0)
		return;
	i %= (unsigned)CPU_COUNT(&may);
	while (!CPU_ISSET(cpu, &may) || i-- > 0)
		cpu++;
	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	sched_setaffinity(0, sizeof only, &only);
}

/*
 * Returns for how many ns this thread was runnable but did not run; 0 if that
 * is not known.
 */
static int64_t run_delay(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	long long ran, delay = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%lld %lld", &ran, &delay) != 2)
		delay = 0;
	fclose(file);
	return delay;
}

__attribute__((cold)) static void raise_most_inside(
	struct slices_shared *shared, unsigned inside)
{
	unsigned most = atomic_load(&shared->most_inside);

	while (inside > most &&
	       !atomic_compare_exchange_weak(&shared->most_inside, &most,
					     inside))
		continue;
}

/*
 * Accesses to the counter are relaxed, because a contender must order memory
 * accesses itself.  Stronger accesses could hide that a contender's order is
 * too weak.
 */
static void stay(const struct slices *s)
{
	struct slices_shared *shared = s->shared;
	unsigned others = atomic_fetch_add_explicit(&shared->inside, 1,
						    memory_order_relaxed);

	if (others >= s->k)
		raise_most_inside(shared, others + 1);
	if (s->section->sleeps)
		section_sleep(s->section->time);
	else
		section_work(s->turns);
	atomic_fetch_sub_explicit(&shared->inside, 1, memory_order_relaxed);
}

static void pass(const struct slices *s, const struct handle *h)
{
	handle_enter(h);
	stay(s);
	handle_leave(h);
}

static void pass_with_times(const struct slices *s, const struct handle *h,
			    struct worker_record *record)
{
	int64_t start = clock_now(), entered;

	handle_enter(h);
	entered = clock_now();
	stay(s);
	record->inside += clock_now() - entered;
	handle_leave(h);
	if (entered - start > record->longest)
		record->longest = entered - start;
}

static void slice(void *context, unsigned id, unsigned instance)
{
	struct slices *s = context;
	struct worker_record *record = &s->shared->records[id];
	const struct handle *h = &s->handles[id][instance];
	int64_t cpu, delay;

	record->count = 0;
	record->longest = record->inside = 0;
	workers_meet(&s->workers, id);
	delay = run_delay();
	cpu = clock_cpu();
	do {
		if (s->section->sleeps)
			pass_with_times(s, h, record);
		else
			pass(s, h);
		record->count++;
	} while (!workers_are_stopping(&s->workers));
	record->cpu = clock_cpu() - cpu;
	record->delay = run_delay() - delay;
}

static bool join_all(void *context, unsigned id)
{
	struct slices *s = context;

	if (s->cpus != ANY_CPU)
		run_on(s->cpus == ONE_CPU ? 0 : id);
	for (size_t i = 0; i < s->instance_count; i++)
		if (!handle_join(&s->handles[id][i], &s->instances[i], id))
			return false;
	return true;
}

static void part_all(void *context, unsigned id)
{
	struct slices *s = context;

	for (size_t i = 0; i < s->instance_count; i++)
		handle_part(&s->handles[id][i]);
}

bool slices_start(struct slices *s, double speed)
{
	s->turns = (uint64_t)(speed * (double)s->section->time);
	s->workers = (struct workers){
		.n = s->n,
		.processes = s->processes,
		.patience = 20 * (int64_t)SECOND,
		.context = s,
		.prepare = join_all,
		.slice = slice,
		.finish = part_all,
	};
	s->shared = map_shared(sizeof *s->shared);
	if (!s->shared) {
		fprintf(stderr, "enter: memory of the workers: %s\n",
			strerror(errno));
		return false;
	}
	return workers_start(&s->workers);
}

/*
 * The rate leaves out the last passage of each worker, which ended after the
 * slice.
 */
static void add_up(const struct slices *s, struct slice *result)
{
	const int64_t length = s->workers.stopped - s->workers.started;
	const unsigned turns = (s->n + s->k - 1) / s->k;
	uint64_t count = 0, most = 0, least = UINT64_MAX;
	int64_t cpu = 0, longest = 0, inside = 0, delay = 0;

	for (unsigned id = 0; id < s->n; id++) {
		const struct worker_record *r = &s->shared->records[id];

		count += r->count;
		most = r->count > most ? r->count : most;
		least = r->count < least ? r->count : least;
		cpu += r->cpu;
		inside += r->inside;
		longest = r->longest > longest ? r->longest : longest;
		delay = r->delay > delay ? r->delay : delay;
	}
	result->rate = (double)(count - s->n) * SECOND / (double)length;
	result->cpu = (double)cpu / 1000 / (double)count;
	result->share = (double)most / (double)least;
	result->longest = inside ? (double)longest / turns /
					   ((double)inside / (double)count)
				 : 0;
	result->delay = (double)delay / (double)length;
}

bool slices_run(struct slices *s, unsigned instance, double seconds,
		struct slice *result)
{
	const char *name = s->instances[instance].name;
	unsigned most;

	if (!workers_slice(&s->workers, instance, seconds)) {
		fprintf(stderr, "enter: %s hangs: a slice has not ended\n",
			name);
		return false;
	}
	most = atomic_load(&s->shared->most_inside);
	if (most) {
		fprintf(stderr, "enter: %s let %u in at once\n", name, most);
		return false;
	}
	add_up(s, result);
	return true;
}

void slices_end(struct slices *s)
{
	workers_end(&s->workers);
	munmap(s->shared, sizeof *s->shared);
}
