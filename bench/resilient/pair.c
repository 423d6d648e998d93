/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/pair.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static bool stops_halfway;

void stop_halfway(void)
{
	stops_halfway = true;
}

void halfway(void)
{
	if (!stops_halfway)
		return;
	stops_halfway = false;
	raise(SIGSTOP);
}

static bool make_mutex(struct pair_instance *i, int robust)
{
	pthread_mutexattr_t with;
	int error;

	pthread_mutexattr_init(&with);
	pthread_mutexattr_setpshared(&with, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&with, robust);
	error = pthread_mutex_init(&i->shared->mutex, &with);
	pthread_mutexattr_destroy(&with);
	return error == 0;
}

static bool open_mutex(struct pair_instance *i)
{
	return make_mutex(i, PTHREAD_MUTEX_STALLED);
}

static bool open_robust(struct pair_instance *i)
{
	return make_mutex(i, PTHREAD_MUTEX_ROBUST);
}

/*
 * The C library tells the next owner that the previous owner died, but not how
 * far the operation of the dead owner got.  The next owner goes on without a
 * repair.
 */
static bool lock(struct pair_shared *shared)
{
	int error = pthread_mutex_lock(&shared->mutex);

	if (error == EOWNERDEAD) {
		atomic_store(&shared->owner_dead, true);
		error = pthread_mutex_consistent(&shared->mutex);
	}
	return error == 0;
}

static bool add_locked(struct pair_instance *i, uint64_t tag)
{
	struct pair_shared *shared = i->shared;

	(void)tag;
	if (!lock(shared))
		return false;
	shared->pair.left++;
	halfway();
	shared->pair.right++;
	return pthread_mutex_unlock(&shared->mutex) == 0;
}

/* Reads without the lock, which a dead or stopped process may hold. */
static bool read_locked(const struct pair_instance *i, struct pair *pair)
{
	const volatile struct pair *from = &i->shared->pair;

	pair->left = from->left;
	pair->right = from->right;
	return true;
}

/* The pair in one word: an operation on one word cannot be half done. */

static bool open_swap(struct pair_instance *i)
{
	atomic_init(&i->shared->word, 0);
	return true;
}

static bool add_swap(struct pair_instance *i, uint64_t tag)
{
	uint_fast64_t before = atomic_load(&i->shared->word);

	(void)tag;
	halfway();
	while (!atomic_compare_exchange_weak(&i->shared->word, &before,
					     before + 1))
		continue;
	return true;
}

static bool read_swap(const struct pair_instance *i, struct pair *pair)
{
	pair->left = pair->right = atomic_load(&i->shared->word);
	return true;
}

/* The pair as a shared object of the library. */

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

static bool fail(const char *what)
{
	fprintf(stderr, "resilient: %s: %s\n", what, atmost_detail());
	return false;
}

static char pool_name[64];

static bool open_object(struct pair_instance *i)
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
		.k = i->k,
		.members = i->members,
	};

	snprintf(pool_name, sizeof pool_name, "bench-resilient-%d",
		 (int)getpid());
	return atmost_object_open(&i->object, pool_name, &shape) == 0 ||
	       fail("cannot open an object");
}

static void close_object(struct pair_instance *i)
{
	atmost_object_close(i->object);
	atmost_unlink(pool_name);
}

static bool join_object(struct pair_instance *i)
{
	return atmost_object_join(i->object, &i->me) == 0 ||
	       fail("cannot join");
}

static bool add_object(struct pair_instance *i, uint64_t tag)
{
	const struct atmost_object_want want = { .tag = tag };

	return atmost_object_apply_as(i->me, &want, PAIR_ADD, NULL, NULL) ==
		       0 ||
	       fail("cannot apply an operation");
}

static bool read_object(const struct pair_instance *i, struct pair *pair)
{
	return atmost_object_read(i->object, pair) == 0 ||
	       fail("cannot read the state");
}

/* Calls atmost_object_status first, because that call recovers dead members. */
static bool outcome(const struct pair_instance *i, uint64_t tag, bool *happened)
{
	struct atmost_totals totals;

	return (atmost_object_status(i->object, NULL, 0, &totals) >= 0 &&
		atmost_object_outcome(i->object, tag, happened, NULL) == 0) ||
	       fail("cannot get an outcome");
}

/*
 * The mutexes have no close(): a dead process may still hold the mutex, and a
 * held mutex must not be destroyed.  Its memory is unmapped after the round.
 */
const struct pair_implementation pair_mutex = {
	.name = "mutex",
	.open = open_mutex,
	.add = add_locked,
	.read = read_locked,
};

const struct pair_implementation pair_robust = {
	.name = "robust mutex",
	.open = open_robust,
	.add = add_locked,
	.read = read_locked,
};

const struct pair_implementation pair_swap = {
	.name = "compare-and-swap",
	.open = open_swap,
	.add = add_swap,
	.read = read_swap,
};

const struct pair_implementation pair_object = {
	.name = "object",
	.open = open_object,
	.close = close_object,
	.join = join_object,
	.add = add_object,
	.read = read_object,
	.outcome = outcome,
};
