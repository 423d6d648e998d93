/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A mutex protects the state, as in most programs.  The robust mutex is
 * process-shared, as in programs that must survive deaths, and a thread that
 * locks it checks for EOWNERDEAD.
 */
#include "bench/resilient/implementation.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state has cache lines of its own. */
struct locked {
	_Alignas(64) pthread_mutex_t mutex;
	_Alignas(64) uint64_t state[BOOK_WORDS];
};

static bool open_locked(struct instance *i, int shared, int robust)
{
	struct locked *m = aligned_alloc(64, sizeof *m);
	pthread_mutexattr_t with;

	if (!m) {
		perror("resilient: memory of a mutex");
		return false;
	}
	memset(m, 0, sizeof *m);
	pthread_mutexattr_init(&with);
	pthread_mutexattr_setpshared(&with, shared);
	pthread_mutexattr_setrobust(&with, robust);
	pthread_mutex_init(&m->mutex, &with);
	pthread_mutexattr_destroy(&with);
	i->memory = m;
	return true;
}

static bool open_mutex(struct instance *i, unsigned threads)
{
	(void)threads;
	return open_locked(i, PTHREAD_PROCESS_PRIVATE, PTHREAD_MUTEX_STALLED);
}

static bool open_robust(struct instance *i, unsigned threads)
{
	(void)threads;
	return open_locked(i, PTHREAD_PROCESS_SHARED, PTHREAD_MUTEX_ROBUST);
}

static void close_locked(struct instance *i)
{
	struct locked *m = i->memory;

	pthread_mutex_destroy(&m->mutex);
	free(m);
}

KEEP static void pass_mutex_counter(struct handle *h, unsigned long count)
{
	struct locked *m = h->instance->memory;

	for (; count > 0; count--) {
		pthread_mutex_lock(&m->mutex);
		m->state[0]++;
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&m->mutex);
	}
}

KEEP static void pass_mutex_book(struct handle *h, unsigned long count)
{
	struct locked *m = h->instance->memory;

	for (; count > 0; count--) {
		struct transfer next = transfer_next(&h->turn);

		pthread_mutex_lock(&m->mutex);
		book_transfer(m->state, next.from, next.to);
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&m->mutex);
	}
}

/* No owner dies in this program, so there is no state to repair. */
static void lock_robust(pthread_mutex_t *mutex)
{
	if (pthread_mutex_lock(mutex) == EOWNERDEAD)
		pthread_mutex_consistent(mutex);
}

KEEP static void pass_robust_counter(struct handle *h, unsigned long count)
{
	struct locked *m = h->instance->memory;

	for (; count > 0; count--) {
		lock_robust(&m->mutex);
		m->state[0]++;
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&m->mutex);
	}
}

KEEP static void pass_robust_book(struct handle *h, unsigned long count)
{
	struct locked *m = h->instance->memory;

	for (; count > 0; count--) {
		struct transfer next = transfer_next(&h->turn);

		lock_robust(&m->mutex);
		book_transfer(m->state, next.from, next.to);
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&m->mutex);
	}
}

static void read_state(const struct instance *i, uint64_t *state)
{
	const struct locked *m = i->memory;

	memcpy(state, m->state,
	       subject_words(i->implementation->subject) * sizeof *state);
}

#define LOCKED(called, opens, of, passes)                             \
	{                                                             \
		.name = called, .subject = of, .function = #passes,   \
		.open = opens, .close = close_locked, .pass = passes, \
		.read = read_state                                    \
	}

const struct implementation mutex_implementation[SUBJECTS] = {
	LOCKED("mutex", open_mutex, COUNTER, pass_mutex_counter),
	LOCKED("mutex", open_mutex, BOOK, pass_mutex_book),
};

const struct implementation robust_implementation[SUBJECTS] = {
	LOCKED("robust mutex", open_robust, COUNTER, pass_robust_counter),
	LOCKED("robust mutex", open_robust, BOOK, pass_robust_book),
};
