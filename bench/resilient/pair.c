/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/pair.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static bool stops;

void halfway_stops(void)
{
	stops = true;
}

void halfway(void)
{
	if (!stops)
		return;
	stops = false;
	raise(SIGSTOP);
}

static bool join_nothing(struct scene *s)
{
	(void)s;
	return true;
}

static bool make_mutex(struct scene *s, int robust)
{
	pthread_mutexattr_t with;
	int error;

	pthread_mutexattr_init(&with);
	pthread_mutexattr_setpshared(&with, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&with, robust);
	error = pthread_mutex_init(&s->news->mutex, &with);
	pthread_mutexattr_destroy(&with);
	return error == 0;
}

static bool open_mutex(struct scene *s)
{
	return make_mutex(s, PTHREAD_MUTEX_STALLED);
}

static bool open_robust(struct scene *s)
{
	return make_mutex(s, PTHREAD_MUTEX_ROBUST);
}

/* Its memory goes with the scene; it may still be held by a dead one. */
static void close_nothing(struct scene *s)
{
	(void)s;
}

/* Who is told that the owner died, and cannot tell how far it got, goes on. */
static bool lock(struct news *news)
{
	int error = pthread_mutex_lock(&news->mutex);

	if (error == EOWNERDEAD) {
		atomic_store(&news->owner_dead, true);
		error = pthread_mutex_consistent(&news->mutex);
	}
	return error == 0;
}

static bool add_locked(struct scene *s, uint64_t tag)
{
	struct news *news = s->news;

	(void)tag;
	if (!lock(news))
		return false;
	news->pair.left++;
	halfway();
	news->pair.right++;
	return pthread_mutex_unlock(&news->mutex) == 0;
}

/* Past the lock: what is behind it is to be seen. */
static bool look_locked(const struct scene *s, struct pair *pair)
{
	const volatile struct pair *from = &s->news->pair;

	pair->left = from->left;
	pair->right = from->right;
	return true;
}

/* One word cannot be half done. */

static bool open_swap(struct scene *s)
{
	atomic_init(&s->news->word, 0);
	return true;
}

static bool add_swap(struct scene *s, uint64_t tag)
{
	uint_fast64_t before = atomic_load(&s->news->word);

	(void)tag;
	halfway();
	while (!atomic_compare_exchange_weak(&s->news->word, &before,
					     before + 1))
		continue;
	return true;
}

static bool look_swap(const struct scene *s, struct pair *pair)
{
	pair->left = pair->right = atomic_load(&s->news->word);
	return true;
}

/* The library's. */

enum { PAIR_ADD = 1 };

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	struct pair *pair = state;

	(void)size;
	(void)operation;
	(void)argument;
	*result = pair->left;
	pair->left++;
	halfway();
	pair->right++;
}

static bool complain(const char *what)
{
	fprintf(stderr, "resilient: %s: %s\n", what, atmost_detail());
	return false;
}

static char pool[64]; /* its name */

static bool open_object(struct scene *s)
{
	const struct atmost_object_type type = {
		.name = "bench-pair",
		.size = sizeof(struct pair),
		.apply = apply,
		.operations = PAIR_ADD,
		.results = 1,
	};
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = s->k,
		.members = s->members,
	};

	snprintf(pool, sizeof pool, "bench-resilient-%d", (int)getpid());
	return atmost_object_open(&s->object, pool, &shape) == 0 ||
	       complain("an object");
}

static void close_object(struct scene *s)
{
	atmost_object_close(s->object);
	atmost_unlink(pool);
}

static bool join_object(struct scene *s)
{
	return atmost_object_join(s->object, &s->me) == 0 ||
	       complain("a member");
}

static bool add_object(struct scene *s, uint64_t tag)
{
	const struct atmost_object_want want = { .tag = tag };

	return atmost_object_apply_as(s->me, &want, PAIR_ADD, NULL, NULL) ==
		       0 ||
	       complain("an operation");
}

static bool look_object(const struct scene *s, struct pair *pair)
{
	return atmost_object_read(s->object, pair) == 0 || complain("a state");
}

/* Status looks for the dead first. */
static bool outcome(const struct scene *s, uint64_t tag, bool *happened)
{
	struct atmost_totals totals;

	return (atmost_object_status(s->object, NULL, 0, &totals) >= 0 &&
		atmost_object_outcome(s->object, tag, happened, NULL) == 0) ||
	       complain("an outcome");
}

const struct pair_keeper pair_mutex = {
	"mutex",    open_mutex,  close_nothing, join_nothing,
	add_locked, look_locked, NULL,
};

const struct pair_keeper pair_robust = {
	"robust mutex", open_robust, close_nothing, join_nothing,
	add_locked,     look_locked, NULL,
};

const struct pair_keeper pair_swap = {
	"compare-and-swap", open_swap, close_nothing, join_nothing,
	add_swap,           look_swap, NULL,
};

const struct pair_keeper pair_object = {
	"object",   open_object, close_object, join_object,
	add_object, look_object, outcome,
};
