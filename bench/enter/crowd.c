/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/enter/crowd.h"

#include "bench/common/clock.h"
#include "bench/common/hear.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The i-th of the cpus that we may run on, around. */
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

/* How long this thread was runnable and did not run, ever; 0: not known. */
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

__attribute__((cold)) static void complain(struct hall *hall, unsigned inside)
{
	unsigned most = atomic_load(&hall->most_inside);

	while (inside > most &&
	       !atomic_compare_exchange_weak(&hall->most_inside, &most, inside))
		continue;
}

/* The counter is relaxed: it must not put the order there that a door owes. */
static void stay(const struct crowd *c)
{
	unsigned others = atomic_fetch_add_explicit(&c->hall->inside, 1,
						    memory_order_relaxed);

	if (others >= c->k)
		complain(c->hall, others + 1);
	if (c->section->sleeps)
		section_sleep(c->section->time);
	else
		section_work(c->turns);
	atomic_fetch_sub_explicit(&c->hall->inside, 1, memory_order_relaxed);
}

static void pass(const struct crowd *c, const struct guest *g)
{
	guest_enter(g);
	stay(c);
	guest_leave(g);
}

static void pass_and_tell(const struct crowd *c, const struct guest *g,
			  struct seat *seat)
{
	int64_t start = clock_now(), entered;

	guest_enter(g);
	entered = clock_now();
	stay(c);
	seat->inside += clock_now() - entered;
	guest_leave(g);
	if (entered - start > seat->longest)
		seat->longest = entered - start;
}

static void take_part(const struct crowd *c, struct seat *seat,
		      const struct guest *g)
{
	struct hall *hall = c->hall;
	int64_t cpu, delay;

	seat->count = 0;
	seat->longest = seat->inside = 0;
	seat->ready = clock_now();
	if (pthread_barrier_wait(&hall->together))
		sem_post(&hall->begun);
	delay = run_delay();
	cpu = clock_cpu();
	do {
		if (c->section->sleeps)
			pass_and_tell(c, g, seat);
		else
			pass(c, g);
		seat->count++;
	} while (!atomic_load_explicit(&hall->stop, memory_order_relaxed));
	seat->cpu = clock_cpu() - cpu;
	seat->delay = run_delay() - delay;
}

static void serve(struct worker *w)
{
	const struct crowd *c = w->crowd;
	struct seat *seat = &c->hall->seats[w->id];
	struct guest guests[DOORS_MOST];

	if (c->cpus != ANY_CPU)
		run_on(c->cpus == ONE_CPU ? 0 : w->id);
	for (size_t i = 0; i < c->door_count; i++)
		if (!guest_join(&guests[i], &c->doors[i], w->id))
			_exit(4);
	sem_post(&c->hall->done);
	for (;;) {
		while (sem_wait(&seat->go) < 0)
			continue;
		if (c->hall->over)
			break;
		take_part(c, seat, &guests[c->hall->chosen]);
		sem_post(&c->hall->done);
	}
	for (size_t i = 0; i < c->door_count; i++)
		guest_part(&guests[i]);
}

static void *thread_main(void *worker)
{
	serve(worker);
	return NULL;
}

static bool start(struct crowd *c, struct worker *w)
{
	const pid_t parent = getpid();

	if (!c->processes) {
		errno = pthread_create(&w->thread, NULL, thread_main, w);
		return errno == 0;
	}
	w->pid = fork();
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		serve(w);
		_exit(0);
	}
	return w->pid > 0;
}

static bool open_hall(struct crowd *c)
{
	pthread_barrierattr_t between;

	c->hall = mmap(NULL, sizeof *c->hall, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->hall == MAP_FAILED)
		return false;
	pthread_barrierattr_init(&between);
	pthread_barrierattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&c->hall->together, &between, c->n);
	pthread_barrierattr_destroy(&between);
	sem_init(&c->hall->begun, 1, 0);
	sem_init(&c->hall->done, 1, 0);
	for (unsigned id = 0; id < c->n; id++)
		sem_init(&c->hall->seats[id].go, 1, 0);
	return true;
}

bool crowd_hire(struct crowd *c, double speed)
{
	c->turns = (uint64_t)(speed * (double)c->section->time);
	fflush(stdout);
	if (!open_hall(c))
		goto fail;
	for (unsigned id = 0; id < c->n; id++) {
		c->workers[id] = (struct worker){ .crowd = c, .id = id };
		if (!start(c, &c->workers[id]))
			goto fail;
	}
	if (hear(&c->hall->done, c->n))
		return true;
fail:
	fprintf(stderr, "enter: participants: %s\n", strerror(errno));
	return false;
}

static void send_off(struct crowd *c)
{
	for (unsigned id = 0; id < c->n; id++)
		sem_post(&c->hall->seats[id].go);
}

/* In the end nobody arrives: all but the last passage of each were in time. */
static void add_up(const struct crowd *c, int64_t stopped, struct slice *s)
{
	uint64_t count = 0, most = 0, least = UINT64_MAX;
	int64_t begun = 0, cpu = 0, longest = 0, inside = 0, delay = 0;
	const unsigned turns = (c->n + c->k - 1) / c->k;

	for (unsigned id = 0; id < c->n; id++) {
		const struct seat *seat = &c->hall->seats[id];

		count += seat->count;
		most = seat->count > most ? seat->count : most;
		least = seat->count < least ? seat->count : least;
		begun = seat->ready > begun ? seat->ready : begun;
		cpu += seat->cpu;
		inside += seat->inside;
		longest = seat->longest > longest ? seat->longest : longest;
		delay = seat->delay > delay ? seat->delay : delay;
	}
	s->rate = (double)(count - c->n) * SECOND / (double)(stopped - begun);
	s->cpu = (double)cpu / 1000 / (double)count;
	s->share = (double)most / (double)least;
	s->longest = inside ? (double)longest / turns /
				      ((double)inside / (double)count)
			    : 0;
	s->delay = (double)delay / (double)(stopped - begun);
}

bool crowd_slice(struct crowd *c, unsigned door, double seconds,
		 struct slice *result)
{
	struct hall *hall = c->hall;
	const char *name = c->doors[door].name;
	int64_t stopped;

	hall->chosen = door;
	atomic_store(&hall->stop, false);
	send_off(c);
	if (!hear(&hall->begun, 1))
		goto hangs;
	section_sleep((int64_t)(seconds * SECOND));
	stopped = clock_now();
	atomic_store(&hall->stop, true);
	if (!hear(&hall->done, c->n))
		goto hangs;
	if (atomic_load(&hall->most_inside)) {
		fprintf(stderr, "enter: %s let %u in at once\n", name,
			atomic_load(&hall->most_inside));
		return false;
	}
	add_up(c, stopped, result);
	return true;
hangs:
	fprintf(stderr, "enter: %s hangs: a slice has not ended\n", name);
	return false;
}

void crowd_dismiss(struct crowd *c)
{
	c->hall->over = true;
	send_off(c);
	for (unsigned id = 0; id < c->n; id++) {
		if (c->processes)
			waitpid(c->workers[id].pid, NULL, 0);
		else
			pthread_join(c->workers[id].thread, NULL);
	}
	munmap(c->hall, sizeof *c->hall);
}
