/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes with several threads enter, give up and leave at random.  No slot
 * ever has two holders, tokens of a slot grow, and nothing is left in etcd.
 */
#include "common/prng.h"
#include "common/size.h"
#include "library.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 3, THREADS = 3, K = 2, MOST = 60 };

/* What all processes share.  A slot's holder writes its token. */
static struct shared {
	uint64_t token[K], last[K];
	unsigned entered, gave_up;
} * shared;

static struct atmost *pool;
static unsigned passages;
static uint64_t seed;

static void violated(const char *what)
{
	fprintf(stderr, "FAILED: %s\n", what);
	_exit(1);
}

/* For a holder: no other member may be in the slot. */
static void be_inside(struct atmost_member *me, int slot, uint64_t *random)
{
	uint64_t token, none = 0;

	if (slot < 0 || slot >= K || atmost_token(me, &token) != 0)
		violated("a holder has a slot and a token");
	if (!__atomic_compare_exchange_n(&shared->token[slot], &none, token,
					 false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		violated("a slot has two holders");
	if (__atomic_exchange_n(&shared->last[slot], token, __ATOMIC_SEQ_CST) >=
	    token)
		violated("the tokens of a slot grow");
	usleep((unsigned)(prng_next(random) % 2000));
	__atomic_store_n(&shared->token[slot], 0, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&shared->entered, 1, __ATOMIC_SEQ_CST);
	if (atmost_leave(me) != 0)
		violated("a holder leaves its slot, which it has not lost");
}

/* One in four passages does not wait, one in four waits a few milliseconds. */
static void pass(struct atmost_member *me, uint64_t *random)
{
	const uint64_t kind = prng_next(random) % 4;
	struct timespec soon = clock_deadline(
		(int64_t)(prng_next(random) % 20000000));
	const struct atmost_want want = {
		.flags = kind == 0 ? ATMOST_TRY : 0,
		.deadline = kind == 1 ? &soon : NULL,
	};
	int slot = atmost_enter(me, &want);

	if (slot >= 0)
		be_inside(me, slot, random);
	else if (slot == ATMOST_EBUSY || slot == ATMOST_ETIMEDOUT ||
		 /* An answer of a loaded machine may take too long. */
		 slot == ATMOST_EUNREACHED)
		__atomic_fetch_add(&shared->gave_up, 1, __ATOMIC_SEQ_CST);
	else
		violated(atmost_detail());
}

static void *work(void *argument)
{
	uint64_t random = seed + *(const unsigned *)argument;
	struct atmost_member *me;

	if (atmost_join(pool, &me) != 0)
		violated(atmost_detail());
	for (unsigned i = 0; i < passages; i++)
		pass(me, &random);
	/* The member of every other thread parts with its thread. */
	if (*(const unsigned *)argument % 2)
		atmost_part(me);
	return NULL;
}

static void run_process(unsigned number)
{
	unsigned numbers[THREADS];
	pthread_t threads[THREADS];

	if (atmost_open(&pool, address_of("storm"), NULL) != 0)
		violated(atmost_detail());
	for (unsigned i = 0; i < THREADS; i++) {
		numbers[i] = number * THREADS + i;
		if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0)
			violated("a thread starts");
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	atmost_close(pool);
	_exit(0);
}

static void a_storm_breaks_no_promise(void **state)
{
	struct atmost *own = open_k("storm", K);
	pid_t children[PROCESSES];

	(void)state;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(shared != MAP_FAILED);
	seed = prng_seed();
	passages = size_is_small() ? MOST / 4 : MOST;
	for (unsigned i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (children[i] == 0)
			run_process(i);
	}
	for (unsigned i = 0; i < PROCESSES; i++) {
		int status;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	print_message("%u passages, %u times a member gave up\n",
		      shared->entered, shared->gave_up);
	assert_int_equal(shared->entered + shared->gave_up,
			 PROCESSES * THREADS * passages);
	assert_true(shared->entered >= PROCESSES * THREADS * passages / 4);
	atmost_close(own);
	assert_int_equal(keys_of("storm"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_storm_breaks_no_promise),
	};

	watchdog_start("FAILED: a storm of several machines hangs\n");
	return cmocka_run_group_tests(tests, start_node, stop_node);
}
