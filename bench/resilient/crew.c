/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/crew.h"

#include "bench/common/clock.h"
#include "bench/common/hear.h"
#include "bench/common/section.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Between two looks at whether the slice is over: few, as they may wait. */
enum { BATCH = 16 };

static void take_part(struct crew *c, struct worker *w, struct guest *g)
{
	void (*pass)(struct guest *, unsigned long) = g->stand->keeper->pass;
	int64_t cpu;

	w->count = 0;
	w->ready = clock_now();
	if (pthread_barrier_wait(&c->together))
		sem_post(&c->begun);
	cpu = clock_cpu();
	do {
		pass(g, BATCH);
		w->count += BATCH;
	} while (!atomic_load_explicit(&c->stop, memory_order_relaxed));
	w->cpu = clock_cpu() - cpu;
}

static bool join(struct guest *g, const struct stand *s)
{
	*g = (struct guest){ .stand = s };
	return !s->keeper->join || s->keeper->join(g);
}

static void part(struct guest *g)
{
	if (g->stand->keeper->part)
		g->stand->keeper->part(g);
}

static void *serve(void *worker)
{
	struct worker *w = worker;
	struct crew *c = w->crew;
	struct guest guests[STANDS_MOST];
	size_t joined = 0;

	while (joined < c->stand_count &&
	       join(&guests[joined], &c->stands[joined]))
		joined++;
	w->joined = joined == c->stand_count;
	sem_post(&c->done);
	for (;;) {
		while (sem_wait(&w->go) < 0)
			continue;
		if (c->over)
			break;
		take_part(c, w, &guests[c->chosen]);
		sem_post(&c->done);
	}
	while (joined > 0)
		part(&guests[--joined]);
	return NULL;
}

bool crew_hire(struct crew *c)
{
	bool all = true;

	pthread_barrier_init(&c->together, NULL, c->threads);
	sem_init(&c->begun, 0, 0);
	sem_init(&c->done, 0, 0);
	c->over = false;
	for (unsigned i = 0; i < c->threads; i++) {
		struct worker *w = &c->workers[i];

		*w = (struct worker){ .crew = c };
		sem_init(&w->go, 0, 0);
		errno = pthread_create(&w->thread, NULL, serve, w);
		if (errno) {
			perror("resilient: threads");
			return false;
		}
	}
	hear(&c->done, c->threads);
	for (unsigned i = 0; i < c->threads; i++)
		all = all && c->workers[i].joined;
	return all;
}

static void send_off(struct crew *c)
{
	for (unsigned i = 0; i < c->threads; i++)
		sem_post(&c->workers[i].go);
}

/* What ended after the stop is too little to matter: a batch each. */
static uint64_t add_up(const struct crew *c, int64_t stopped, struct slice *s)
{
	uint64_t count = 0;
	int64_t cpu = 0, begun = 0;

	for (unsigned i = 0; i < c->threads; i++) {
		const struct worker *w = &c->workers[i];

		count += w->count;
		cpu += w->cpu;
		begun = w->ready > begun ? w->ready : begun;
	}
	s->cpu = (double)cpu / (double)count;
	s->rate = (double)count * SECOND / (double)(stopped - begun);
	return count;
}

bool crew_slice(struct crew *c, size_t stand, double seconds,
		struct slice *result)
{
	int64_t stopped;

	c->chosen = stand;
	atomic_store(&c->stop, false);
	send_off(c);
	if (!hear(&c->begun, 1))
		goto hangs;
	section_sleep((int64_t)(seconds * SECOND));
	stopped = clock_now();
	atomic_store(&c->stop, true);
	if (!hear(&c->done, c->threads))
		goto hangs;
	c->operations[stand] += add_up(c, stopped, result);
	return true;
hangs:
	fprintf(stderr, "resilient: %s hangs: a slice has not ended\n",
		c->stands[stand].keeper->name);
	return false;
}

void crew_dismiss(struct crew *c)
{
	c->over = true;
	send_off(c);
	for (unsigned i = 0; i < c->threads; i++)
		pthread_join(c->workers[i].thread, NULL);
}
