/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that, if words of a pool are overwritten, no member hangs or crashes,
 * and a member that lost its slot or its place in the queue gets an error.
 */
#include "common/clock.h"
#include "common/prng.h"
#include "common/watchdog.h"
#include "workers.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEMBERS = 4, K = 2, LINE = 64 };

/* The offsets of roster's words: see runtime/layout.h and roster_words.h. */
enum {
	AT_ROOT = AT_WORDS,
	AT_TOKEN = AT_ROOT + LINE,
	AT_SLOT = AT_TOKEN + LINE,
	AT_NODES = AT_SLOT + K * LINE,
	AT_W = AT_NODES + LINE,           /* four members: one pair of nodes */
	AT_RECORD = AT_W + MEMBERS * LINE /* of member 0 */
};

static char *base; /* a second mapping of the pool's file */

static uint64_t *word(long at)
{
	return (uint64_t *)(void *)(base + at);
}

static void set(long at, uint64_t value)
{
	__atomic_store_n(word(at), value, __ATOMIC_SEQ_CST);
}

static struct atmost *fresh_of(const char *algorithm)
{
	struct atmost *pool;

	atmost_unlink("pool");
	pool = open_pool("pool", algorithm, K, MEMBERS);
	base = file_map("pool");
	return pool;
}

static struct atmost *fresh(void)
{
	return fresh_of("roster");
}

static const uint64_t odd[] = {
	0,
	1,
	2,
	3,
	0x3ffd,
	UINT64_C(1) << 63,
	UINT64_C(0x5555555555555555),
	UINT64_MAX - 1,
	UINT64_MAX,
	UINT64_C(0x8000000000000002),
};
enum { ODD = sizeof odd / sizeof *odd };

static void a_leaver_that_lost_its_slot_is_told(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= ODD; i++) {
		struct atmost *pool = fresh();
		struct atmost_member *me = join(pool);
		int slot = atmost_enter(me, NULL);
		uint64_t there;

		assert_in_range(slot, 0, K - 1);
		there = *word(AT_SLOT + slot * LINE);
		set(AT_SLOT + slot * LINE, i < ODD ? odd[i] : there);
		if (i == ODD) {
			assert_int_equal(0, atmost_leave(me));
			atmost_close(pool);
			continue;
		}
		assert_int_equal(ATMOST_EEVICTED, atmost_leave(me));
		assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
		assert_int_equal(ATMOST_EEVICTED, atmost_enter(me, NULL));
		assert_int_equal(ATMOST_EEVICTED, atmost_enter(me, &try));
		expect_detail(atmost_strerror(ATMOST_EEVICTED));
		atmost_part(me);
		assert_int_equal(0, totals_of(pool).members);
		me = join(pool);
		atmost_enter(me, &try);
		atmost_close(pool);
	}
}

static void *part_elsewhere(void *member)
{
	atmost_part(member);
	return NULL;
}

static void an_evicted_member_still_belongs_to_its_thread(void **state)
{
	struct atmost *pool = fresh();
	struct atmost_member *me = join(pool);
	pthread_t thread;

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	set(AT_SLOT, 0);
	assert_int_equal(ATMOST_EEVICTED, atmost_leave(me));
	assert_int_equal(0, pthread_create(&thread, NULL, part_elsewhere, me));
	pthread_join(thread, NULL);
	assert_int_equal(1, totals_of(pool).members);
	atmost_close(pool);
	pool = open_pool("pool", NULL, 0, 0);
	for (unsigned i = 0; i < MEMBERS; i++)
		join(pool);
	atmost_close(pool);
}

/* Asks both holders to leave; a holder may have been evicted. */
static void clear(struct worker *holder)
{
	for (unsigned i = 0; i < K; i++) {
		int result = worker_do(&holder[i], LEAVE);

		assert_true(result == 0 || result == ATMOST_EEVICTED);
	}
}

static void a_waiter_that_lost_its_place_in_the_queue_is_told(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ODD; i++) {
		struct atmost *pool = fresh();
		struct worker holder[K], waiter;
		int result;

		for (unsigned j = 0; j < K; j++) {
			holder[j] = worker_start("pool");
			assert_int_equal(j, worker_do(&holder[j], ENTER));
		}
		waiter = worker_start("pool");
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		set(AT_W + K * LINE, odd[i]);
		/* The waiter reads its word after its next nap. */
		clear(holder);
		result = worker_answer(&waiter);
		if (result != ATMOST_EEVICTED)
			assert_in_range(result, 0, K - 1);
		for (unsigned j = 0; j < K; j++)
			worker_kill(&holder[j]);
		worker_kill(&waiter);
		totals_of(pool);
		atmost_close(pool);
	}
}

static void a_waiter_that_gives_up_a_lost_place_is_told(void **state)
{
	struct atmost *pool = fresh();
	struct worker holder[K], waiter;

	(void)state;
	for (unsigned j = 0; j < K; j++) {
		holder[j] = worker_start("pool");
		assert_int_equal(j, worker_do(&holder[j], ENTER));
	}
	waiter = worker_start("pool");
	worker_ask(&waiter, WAIT_5_S);
	await_waiters(pool, 1);
	set(AT_W + K * LINE, 0);
	assert_int_equal(ATMOST_EEVICTED, worker_answer(&waiter));
	assert_int_equal(ATMOST_EEVICTED, worker_do(&waiter, TRY));
	assert_int_equal(0, worker_do(&waiter, PART));
	assert_int_equal(0, worker_do(&waiter, JOIN));
	assert_int_equal(ATMOST_EBUSY, worker_do(&waiter, TRY));
	clear(holder);
	for (unsigned j = 0; j < K; j++)
		worker_kill(&holder[j]);
	worker_kill(&waiter);
	atmost_close(pool);
}

/* Returns the offset of a random word, which may belong to a life lock. */
static long anywhere(uint64_t *random)
{
	uint64_t size = *word(AT_SIZE);

	return AT_WORDS +
	       (long)(prng_next(random) % ((size - AT_WORDS) / 8)) * 8;
}

/* Sends a random request; each request ends after a short time. */
static void use(struct worker *worker, uint64_t choice)
{
	static const enum request requests[] = { TRY,   LEAVE,     TRY,
						 LEAVE, WAIT_2_MS, TRY_2 };
	int result = worker_do(worker, requests[choice % 6]);

	if (result == ATMOST_EEVICTED) {
		worker_do(worker, PART);
		worker_do(worker, JOIN);
	}
}

static void overwrite(const char *algorithm, uint64_t *random)
{
	struct atmost *pool = fresh_of(algorithm);
	struct worker worker[MEMBERS];

	for (unsigned i = 0; i < MEMBERS; i++)
		worker[i] = worker_start("pool");
	for (unsigned i = 0; i < 40; i++) {
		uint64_t r = prng_next(random);

		if (i % 4 == 0)
			set(anywhere(random), r % 2 ? r : odd[r / 2 % ODD]);
		use(&worker[prng_next(random) % MEMBERS], prng_next(random));
		totals_of(pool);
	}
	for (unsigned i = 0; i < MEMBERS; i++)
		worker_kill(&worker[i]);
	totals_of(pool);
	atmost_close(pool);
}

static void no_member_hangs_whatever_is_overwritten(void **state)
{
	static const char *const names[] = { "roster", "k-bakery", "room",
					     "hall" };
	const double end = clock_seconds() + clock_stress_seconds(2);
	uint64_t random = prng_seed();

	(void)state;
	do
		for (unsigned i = 0; i < 4; i++)
			overwrite(names[i], &random);
	while (clock_seconds() < end);
}

/*
 * Held life locks.  When the C library releases a lock, it trusts the kind in
 * the lock and follows the pointers in the lock.
 */

enum {
	AT_KIND_OF_LOCK = offsetof(pthread_mutex_t, __data.__kind),
	AT_LIST = offsetof(pthread_mutex_t, __data.__list)
};

/*
 * These functions overwrite the life lock of member 0 of the pool that fresh()
 * made.
 */
static void overwrite_kind(int kind)
{
	memcpy(base + AT_RECORD + AT_KIND_OF_LOCK, &kind, sizeof kind);
}

static void overwrite_list(uint64_t pointer)
{
	uint64_t both[2] = { pointer, pointer };

	memcpy(base + AT_RECORD + AT_LIST, both, sizeof both);
}

static const int kinds[] = {
	0,   1,   2,   3,   4,   15,  16,  17,  32,  48,  64,      80,
	127, 128, 144, 145, 160, 176, 192, 255, 256, 512, 1 << 30, -1,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The ways in which a thread releases its life lock. */
enum release { BY_PARTING, BY_LEAVING, BY_ITS_END, BY_CLOSING, RELEASES };

struct damaged {
	int kind;
	enum release release;
};

static void *hold_and_release(void *argument)
{
	const struct damaged *d = argument;
	struct atmost_member *me = NULL;
	struct atmost *pool;

	if (atmost_open(&pool, "pool", NULL) < 0 ||
	    atmost_join(pool, &me) < 0 || atmost_enter(me, NULL) < 0)
		return "cannot enter";
	overwrite_kind(d->kind);
	if (d->release == BY_LEAVING && atmost_leave(me) != 0)
		return "cannot leave";
	if (d->release == BY_PARTING || d->release == BY_LEAVING)
		atmost_part(me);
	if (d->release == BY_CLOSING)
		atmost_close(pool);
	return NULL;
}

static int damage_a_held_lock(const void *damaged)
{
	pthread_t thread;
	void *result;

	alarm(WATCHDOG_SECONDS); /* SIGALRM ends a child that hangs */
	if (pthread_create(&thread, NULL, hold_and_release,
			   (void *)(uintptr_t)damaged) != 0)
		return 2;
	pthread_join(thread, &result);
	return result != NULL;
}

static void a_held_lock_with_a_wrong_kind_does_no_harm(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KINDS * RELEASES; i++) {
		const struct damaged d = { kinds[i % KINDS], i / KINDS };
		struct atmost *pool = fresh();
		int end = in_child(damage_a_held_lock, &d);

		if (end != 0)
			fail_msg("kind %d, release %d: the holder ended with "
				 "%d",
				 d.kind, d.release, end);
		/*
		 * Members whose life locks are intact can take the slot of the
		 * dead holder.
		 */
		for (unsigned j = 0; j < K; j++)
			assert_true(atmost_enter(join(pool), &try) >= 0);
		atmost_close(pool);
	}
}

/* The damage to the pool "pool".  Its member belongs to a thread that also
 * holds the slot of the pool "healthy". */
struct neighbour {
	bool cut;         /* the file is truncated */
	uint64_t pointer; /* else: the new list pointers of the lock */
	bool parts;       /* the member then parts; otherwise it is killed */
};

/*
 * When a thread dies, the kernel begins with the lock that the thread took
 * last.  So the thread joins the damaged pool last.
 */
static int hold_two(const void *argument)
{
	const struct neighbour *n = argument;
	struct atmost *healthy, *pool;
	struct atmost_member *inside, *me;

	alarm(WATCHDOG_SECONDS); /* SIGALRM ends a child that hangs */
	if (atmost_open(&healthy, "healthy", NULL) < 0 ||
	    atmost_open(&pool, "pool", NULL) < 0 ||
	    atmost_join(healthy, &inside) < 0 ||
	    atmost_enter(inside, NULL) < 0 || atmost_join(pool, &me) < 0)
		return 1;
	if (n->cut && truncate(folder_file("pool"), 0) < 0)
		return 1;
	if (!n->cut)
		overwrite_list(n->pointer);
	if (!n->parts)
		return kill(getpid(), SIGKILL);
	atmost_part(me);
	return 0;
}

/*
 * Parting from a truncated pool may kill the process, because the memory is
 * gone.  The slot of the healthy pool must become free in any case.
 */
static void hold_beside(struct atmost *healthy, struct neighbour n)
{
	int end;

	/*
	 * This process closes the pool before the damage; otherwise the damage
	 * could kill this process, too.
	 */
	atmost_close(fresh());
	end = in_child(hold_two, &n);
	if (end > 0 || end == -SIGALRM || end == -SIGABRT ||
	    (n.parts && !n.cut && end != 0))
		fail_msg("truncated %d, pointer %#jx, parts %d: the holder "
			 "ended "
			 "with %d",
			 n.cut, (uintmax_t)n.pointer, n.parts, end);
	await_holders(healthy, 0);
	assert_int_equal(0, totals_of(healthy).members);
}

static void a_wrong_list_pointer_costs_no_slot_of_another_pool(void **state)
{
	static const uint64_t pointers[] = {
		0,
		1,
		8,
		UINT64_C(0xdeadbeef0000),
		UINT64_C(0x7fffffffffff),
		UINT64_MAX,
	};
	struct atmost *healthy = open_pool("healthy", "roster", 1, MEMBERS);

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		for (unsigned parts = 0; parts < 2; parts++)
			hold_beside(healthy,
				    (struct neighbour){ .pointer = pointers[i],
							.parts = parts });
	atmost_close(healthy);
}

static void a_truncated_file_costs_no_slot_of_another_pool(void **state)
{
	struct atmost *healthy = open_pool("healthy", "roster", 1, MEMBERS);

	(void)state;
	for (unsigned parts = 0; parts < 2; parts++)
		hold_beside(healthy,
			    (struct neighbour){ .cut = true, .parts = parts });
	atmost_close(healthy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_leaver_that_lost_its_slot_is_told),
		TEST_IN_FOLDER(an_evicted_member_still_belongs_to_its_thread),
		TEST_IN_FOLDER(
			a_waiter_that_lost_its_place_in_the_queue_is_told),
		TEST_IN_FOLDER(a_waiter_that_gives_up_a_lost_place_is_told),
		TEST_IN_FOLDER(no_member_hangs_whatever_is_overwritten),
		TEST_IN_FOLDER(a_held_lock_with_a_wrong_kind_does_no_harm),
		TEST_IN_FOLDER(
			a_wrong_list_pointer_costs_no_slot_of_another_pool),
		TEST_IN_FOLDER(a_truncated_file_costs_no_slot_of_another_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
