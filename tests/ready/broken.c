/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests with a broken object.  A thread copies the state, applies the operation
 * to the copy, and stores the copy, even if another thread has stored its own
 * copy in between.  The correct variant compares a version before it stores,
 * and tries again if the version has changed.  The test records and checks both
 * variants as other tests do with the library's objects.  For every type the
 * checker must refuse the broken variant and accept the correct one.
 */
#include "atmost/resilient.h"
#include "common/prng.h"
#include "journal.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, OPERATIONS = 200, CAPACITY = 4, WORDS = 16, ROUNDS = 500 };

struct shared {
	struct journal *journal;
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

/* Reads or stores the whole state under a lock, so that the missing comparison
 * is the only fault of the broken variant. */
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

static void apply(struct shared *s, const uint64_t *request, uint64_t *result)
{
	uint64_t state[WORDS], version;

	do {
		exchange(s, &version, state, false);
		models[s->which].apply(state, CAPACITY, request[0], request + 1,
				       result);
		sched_yield();
	} while (!exchange(s, &version, state, true));
}

static void *apply_operations(void *argument)
{
	struct user *me = argument;
	struct shared *s = me->shared;
	uint64_t seen = 0;

	for (unsigned i = 0; i < OPERATIONS; i++) {
		uint64_t request[1 + MODEL_WORDS], result[MODEL_WORDS] = { 0 };
		uint64_t unique = (uint64_t)(me->writer + 1) << 32 | i;
		struct entry *e;

		journal_choose(s->which, CAPACITY, &me->random, unique, seen,
			       request);
		e = journal_invoke(s->journal, me->writer, request[0],
				   request + 1);
		apply(s, request, result);
		journal_respond(s->journal, e, result);
		seen = result[1];
	}
	return NULL;
}

static enum linear_verdict run_round(struct shared *s, uint64_t random)
{
	struct user user[THREADS];
	pthread_t thread[THREADS];

	journal_clear(s->journal);
	memset(s->state, 0, sizeof s->state);
	for (unsigned i = 0; i < THREADS; i++) {
		user[i] = (struct user){ s, i, random + i };
		assert_int_equal(0, pthread_create(&thread[i], NULL,
						   apply_operations, &user[i]));
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return journal_check(s->journal, &models[s->which], CAPACITY);
}

static void a_lost_update_is_refused(void **state)
{
	struct shared s = { .journal = journal_open(),
			    .broken = true,
			    .lock = PTHREAD_MUTEX_INITIALIZER };

	(void)state;
	for (s.which = 0; s.which < MODELS; s.which++) {
		enum linear_verdict verdict = LINEARIZABLE;
		unsigned round = 0;

		/* In some rounds no two operations overlap, so the test makes
		 * up to ROUNDS rounds. */
		while (verdict == LINEARIZABLE && round < ROUNDS)
			verdict = run_round(&s, seed + 100 * round++);
		print_message("%s: refused in round %u\n", models[s.which].name,
			      round);
		assert_int_equal(NOT_LINEARIZABLE, verdict);
	}
	journal_close(s.journal);
}

static void an_update_that_compares_and_tries_again_is_accepted(void **state)
{
	struct shared s = { .journal = journal_open(),
			    .lock = PTHREAD_MUTEX_INITIALIZER };

	(void)state;
	for (s.which = 0; s.which < MODELS; s.which++)
		for (unsigned round = 0; round < 10; round++)
			assert_int_equal(LINEARIZABLE,
					 run_round(&s, seed + 100 * round));
	journal_close(s.journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lost_update_is_refused),
		cmocka_unit_test(
			an_update_that_compares_and_tries_again_is_accepted),
	};

	seed = prng_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
