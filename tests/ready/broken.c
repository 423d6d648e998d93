/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An object that is not one: it copies the state, applies the operation to the
 * copy, and puts that back, whoever was there in between.  Or, for comparison,
 * it looks first whether somebody was, under a lock.  Recorded and judged as
 * the library's objects are: the judge must refuse the first, of every type,
 * and accept the second.
 */
#include "atmost/resilient.h"
#include "book.h"
#include "linear/chance.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, OPERATIONS = 200, CAPACITY = 4, WORDS = 16, ROUNDS = 500 };

struct shared {
	struct book *book;
	unsigned which;
	bool broken;
	pthread_mutex_t lock;
	uint64_t version;
	uint64_t state[WORDS];
};

struct user {
	struct shared *shared;
	unsigned writer;
	uint64_t random;
};

static uint64_t seed;

/* All at once or not at all, so that the only fault is the one meant. */
static bool exchange(struct shared *s, uint64_t *version, uint64_t *state,
		     bool put)
{
	bool right = true;

	pthread_mutex_lock(&s->lock);
	if (put) {
		right = s->broken || s->version == *version;
		if (right) {
			memcpy(s->state, state, sizeof s->state);
			s->version++;
		}
	} else {
		memcpy(state, s->state, sizeof s->state);
		*version = s->version;
	}
	pthread_mutex_unlock(&s->lock);
	return right;
}

static void apply(struct shared *s, const uint64_t *wish, uint64_t *result)
{
	uint64_t state[WORDS], version;

	do {
		exchange(s, &version, state, false);
		models[s->which].apply(state, CAPACITY, wish[0], wish + 1,
				       result);
		sched_yield();
	} while (!exchange(s, &version, state, true));
}

static void *use(void *argument)
{
	struct user *me = argument;
	struct shared *s = me->shared;
	uint64_t seen = 0;

	for (unsigned i = 0; i < OPERATIONS; i++) {
		uint64_t wish[1 + MODEL_WORDS], result[MODEL_WORDS] = { 0 };
		uint64_t unique = (uint64_t)(me->writer + 1) << 32 | i;
		struct entry *e;

		book_wish(s->which, CAPACITY, &me->random, unique, seen, wish);
		e = book_ask(s->book, me->writer, wish[0], wish + 1);
		apply(s, wish, result);
		book_answer(s->book, e, result);
		seen = result[1];
	}
	return NULL;
}

static enum linear_verdict try(struct shared *s, uint64_t random)
{
	struct user user[THREADS];
	pthread_t thread[THREADS];

	book_clear(s->book);
	memset(s->state, 0, sizeof s->state);
	for (unsigned i = 0; i < THREADS; i++) {
		user[i] = (struct user){ s, i, random + i };
		assert_int_equal(0, pthread_create(&thread[i], NULL, use,
						   &user[i]));
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return book_check(s->book, &models[s->which], CAPACITY);
}

static void an_update_that_is_not_atomic_is_refused(void **state)
{
	struct shared s = { .book = book_open(),
			    .broken = true,
			    .lock = PTHREAD_MUTEX_INITIALIZER };

	(void)state;
	for (s.which = 0; s.which < MODELS; s.which++) {
		enum linear_verdict verdict = LINEARIZABLE;
		unsigned round = 0;

		/* Threads may happen never to meet, but not so often. */
		while (verdict == LINEARIZABLE && round < ROUNDS)
			verdict = try(&s, seed + 100 * round++);
		print_message("%s: refused in round %u\n", models[s.which].name,
			      round);
		assert_int_equal(NOT_LINEARIZABLE, verdict);
	}
	book_close(s.book);
}

static void one_that_looks_and_tries_again_is_accepted(void **state)
{
	struct shared s = { .book = book_open(),
			    .lock = PTHREAD_MUTEX_INITIALIZER };

	(void)state;
	for (s.which = 0; s.which < MODELS; s.which++)
		for (unsigned round = 0; round < 10; round++)
			assert_int_equal(LINEARIZABLE,
					 try(&s, seed + 100 * round));
	book_close(s.book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_update_that_is_not_atomic_is_refused),
		cmocka_unit_test(one_that_looks_and_tries_again_is_accepted),
	};

	seed = chance_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
