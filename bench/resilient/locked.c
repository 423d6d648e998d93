/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kept under a mutex: what most programs do.  The robust one is process-shared,
 * as it is where deaths matter, and asks each time whether its owner died.
 */
#include "bench/resilient/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state on lines of its own. */
struct kept {
	_Alignas(64) pthread_mutex_t mutex;
	_Alignas(64) uint64_t state[BOOK_WORDS];
};

static bool open_locked(struct stand *s, int shared, int robust)
{
	struct kept *kept = aligned_alloc(64, sizeof *kept);
	pthread_mutexattr_t with;

	if (!kept) {
		perror("resilient: a mutex");
		return false;
	}
	memset(kept, 0, sizeof *kept);
	pthread_mutexattr_init(&with);
	pthread_mutexattr_setpshared(&with, shared);
	pthread_mutexattr_setrobust(&with, robust);
	pthread_mutex_init(&kept->mutex, &with);
	pthread_mutexattr_destroy(&with);
	s->kept = kept;
	return true;
}

static bool open_mutex(struct stand *s, unsigned guests)
{
	(void)guests;
	return open_locked(s, PTHREAD_PROCESS_PRIVATE, PTHREAD_MUTEX_STALLED);
}

static bool open_robust(struct stand *s, unsigned guests)
{
	(void)guests;
	return open_locked(s, PTHREAD_PROCESS_SHARED, PTHREAD_MUTEX_ROBUST);
}

static void close_locked(struct stand *s)
{
	struct kept *kept = s->kept;

	pthread_mutex_destroy(&kept->mutex);
	free(kept);
}

KEEP static void pass_mutex_counter(struct guest *g, unsigned long count)
{
	struct kept *kept = g->stand->kept;

	for (; count > 0; count--) {
		pthread_mutex_lock(&kept->mutex);
		kept->state[0]++;
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&kept->mutex);
	}
}

KEEP static void pass_mutex_book(struct guest *g, unsigned long count)
{
	struct kept *kept = g->stand->kept;

	for (; count > 0; count--) {
		struct transfer next = transfer_next(&g->turn);

		pthread_mutex_lock(&kept->mutex);
		book_transfer(kept->state, next.from, next.to);
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&kept->mutex);
	}
}

/* Nobody dies here: there is nothing to mend. */
static void lock_robust(pthread_mutex_t *mutex)
{
	if (pthread_mutex_lock(mutex) == EOWNERDEAD)
		pthread_mutex_consistent(mutex);
}

KEEP static void pass_robust_counter(struct guest *g, unsigned long count)
{
	struct kept *kept = g->stand->kept;

	for (; count > 0; count--) {
		lock_robust(&kept->mutex);
		kept->state[0]++;
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&kept->mutex);
	}
}

KEEP static void pass_robust_book(struct guest *g, unsigned long count)
{
	struct kept *kept = g->stand->kept;

	for (; count > 0; count--) {
		struct transfer next = transfer_next(&g->turn);

		lock_robust(&kept->mutex);
		book_transfer(kept->state, next.from, next.to);
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(&kept->mutex);
	}
}

static void look(const struct stand *s, uint64_t *state)
{
	const struct kept *kept = s->kept;

	memcpy(state, kept->state,
	       subject_words(s->keeper->subject) * sizeof *state);
}

#define LOCKED(called, opens, of, passes)                             \
	{                                                             \
		.name = called, .subject = of, .function = #passes,   \
		.open = opens, .close = close_locked, .pass = passes, \
		.look = look                                          \
	}

const struct keeper keeper_mutex[SUBJECTS] = {
	LOCKED("mutex", open_mutex, COUNTER, pass_mutex_counter),
	LOCKED("mutex", open_mutex, BOOK, pass_mutex_book),
};

const struct keeper keeper_robust[SUBJECTS] = {
	LOCKED("robust mutex", open_robust, COUNTER, pass_robust_counter),
	LOCKED("robust mutex", open_robust, BOOK, pass_robust_book),
};
