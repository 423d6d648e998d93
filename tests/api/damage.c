/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words that somebody overwrites: nobody hangs or crashes, and who lost what it
 * had is told.
 */
#define _GNU_SOURCE

#include "actors.h"

#include <stdlib.h>
#include <unistd.h>

enum { MEMBERS = 4, K = 2, LINE = 64 };

/* Where roster's words are: see runtime/layout.h and roster_words.h. */
enum {
	AT_ROOT = AT_RECORDS + MEMBERS * RECORD + LINE,
	AT_TOKEN = AT_ROOT + LINE,
	AT_SLOT = AT_TOKEN + LINE,
	AT_W = AT_SLOT + K * LINE
};

static char *base; /* of the object's file, mapped once more */

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
	struct atmost *object;

	atmost_unlink("pool");
	object = open_object("pool", algorithm, K, MEMBERS);
	base = file_map("pool");
	return object;
}

static struct atmost *fresh(void)
{
	return fresh_of("roster");
}

static const uint64_t odd[] = {
	0, 1, 2, 3, 0x3ffd, UINT64_C(1) << 63, UINT64_C(0x5555555555555555),
	UINT64_MAX - 1, UINT64_MAX, UINT64_C(0x8000000000000002),
};
enum { ODD = sizeof odd / sizeof *odd };

static void who_lost_its_slot_is_told_when_it_leaves(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= ODD; i++) {
		struct atmost *object = fresh();
		struct atmost_member *me = join(object);
		int slot = atmost_enter(me, NULL);
		uint64_t there;

		assert_in_range(slot, 0, K - 1);
		there = *word(AT_SLOT + slot * LINE);
		set(AT_SLOT + slot * LINE, i < ODD ? odd[i] : there);
		if (i == ODD) {
			assert_int_equal(0, atmost_leave(me));
			atmost_close(object);
			continue;
		}
		assert_int_equal(ATMOST_EEVICTED, atmost_leave(me));
		assert_int_equal(ATMOST_EOUTSIDE, atmost_leave(me));
		assert_int_equal(ATMOST_EEVICTED, atmost_enter(me, NULL));
		assert_int_equal(ATMOST_EEVICTED, atmost_enter(me, &try));
		expect_detail(atmost_strerror(ATMOST_EEVICTED));
		atmost_part(me);
		assert_int_equal(0, totals_of(object).members);
		me = join(object);
		atmost_enter(me, &try);
		atmost_close(object);
	}
}

static void *part_elsewhere(void *member)
{
	atmost_part(member);
	return NULL;
}

static void an_evicted_member_is_still_its_threads(void **state)
{
	struct atmost *object = fresh();
	struct atmost_member *me = join(object);
	pthread_t thread;

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	set(AT_SLOT, 0);
	assert_int_equal(ATMOST_EEVICTED, atmost_leave(me));
	assert_int_equal(0, pthread_create(&thread, NULL, part_elsewhere, me));
	pthread_join(thread, NULL);
	assert_int_equal(1, totals_of(object).members);
	atmost_close(object);
	object = open_object("pool", NULL, 0, 0);
	for (unsigned i = 0; i < MEMBERS; i++)
		join(object);
	atmost_close(object);
}

/* Both holders are told to leave, whatever came of it. */
static void clear(struct actor *holder)
{
	for (unsigned i = 0; i < K; i++) {
		int result = actor_do(&holder[i], LEAVE);

		assert_true(result == 0 || result == ATMOST_EEVICTED);
	}
}

static void who_lost_its_place_in_the_queue_is_told(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ODD; i++) {
		struct atmost *object = fresh();
		struct actor holder[K], waiter;
		int result;

		for (unsigned j = 0; j < K; j++) {
			holder[j] = actor_start("pool");
			assert_int_equal(j, actor_do(&holder[j], ENTER));
		}
		waiter = actor_start("pool");
		actor_ask(&waiter, ENTER);
		await_waiters(object, 1);
		set(AT_W + K * LINE, odd[i]);
		/* A nap later it looks at its word. */
		clear(holder);
		result = actor_answer(&waiter);
		if (result != ATMOST_EEVICTED)
			assert_in_range(result, 0, K - 1);
		for (unsigned j = 0; j < K; j++)
			actor_kill(&holder[j]);
		actor_kill(&waiter);
		totals_of(object);
		atmost_close(object);
	}
}

static void who_gives_up_a_place_it_lost_is_told(void **state)
{
	struct atmost *object = fresh();
	struct actor holder[K], waiter;

	(void)state;
	for (unsigned j = 0; j < K; j++) {
		holder[j] = actor_start("pool");
		assert_int_equal(j, actor_do(&holder[j], ENTER));
	}
	waiter = actor_start("pool");
	actor_ask(&waiter, HURRY);
	await_waiters(object, 1);
	set(AT_W + K * LINE, 0);
	assert_int_equal(ATMOST_EEVICTED, actor_answer(&waiter));
	assert_int_equal(ATMOST_EEVICTED, actor_do(&waiter, TRY));
	assert_int_equal(0, actor_do(&waiter, PART));
	assert_int_equal(0, actor_do(&waiter, JOIN));
	assert_int_equal(ATMOST_EBUSY, actor_do(&waiter, TRY));
	clear(holder);
	for (unsigned j = 0; j < K; j++)
		actor_kill(&holder[j]);
	actor_kill(&waiter);
	atmost_close(object);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static uint64_t seed_of_this_run(void)
{
	const char *given = getenv("ATMOST_SEED");
	struct timespec now;
	uint64_t seed;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = given ? strtoull(given, NULL, 0)
		     : (uint64_t)now.tv_nsec * 2654435761u + 1;
	print_message("ATMOST_SEED=%ju\n", (uintmax_t)seed);
	return seed ? seed : 1;
}

/* Any half of a word, but for life locks: these are the C library's. */
static long anywhere(uint64_t *seed)
{
	uint64_t size = *word(AT_SIZE);
	long at;

	do {
		at = AT_RECORDS +
		     (long)(next_random(seed) % ((size - AT_RECORDS) / 8)) * 8;
	} while (at < AT_RECORDS + MEMBERS * RECORD &&
		 (at - AT_RECORDS) % RECORD < LINE);
	return at;
}

/* A little of everything, by one that gives up in time. */
static void use(struct actor *actor, uint64_t random)
{
	static const enum deed deeds[] = { TRY, LEAVE, TRY, LEAVE, GLANCE };
	int result = actor_do(actor, deeds[random % 5]);

	if (result == ATMOST_EEVICTED) {
		actor_do(actor, PART);
		actor_do(actor, JOIN);
	}
}

static void overwrite(const char *algorithm, uint64_t *seed)
{
	struct atmost *object = fresh_of(algorithm);
	struct actor actor[MEMBERS];

	for (unsigned i = 0; i < MEMBERS; i++)
		actor[i] = actor_start("pool");
	for (unsigned i = 0; i < 40; i++) {
		uint64_t r = next_random(seed);

		if (i % 4 == 0)
			set(anywhere(seed), r % 2 ? r : odd[r / 2 % ODD]);
		use(&actor[next_random(seed) % MEMBERS], next_random(seed));
		totals_of(object);
	}
	for (unsigned i = 0; i < MEMBERS; i++)
		actor_kill(&actor[i]);
	totals_of(object);
	atmost_close(object);
}

static void whatever_is_overwritten_nobody_hangs(void **state)
{
	static const char *const names[] = { "roster", "k-bakery", "room" };
	const char *given = getenv("ATMOST_STRESS_SECONDS");
	const long seconds = given ? atol(given) : 2;
	uint64_t seed = seed_of_this_run();
	struct timespec begin, now;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (unsigned i = 0; i < 3; i++)
			overwrite(names[i], &seed);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < begin.tv_sec + seconds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(who_lost_its_slot_is_told_when_it_leaves),
		TEST_IN_FOLDER(an_evicted_member_is_still_its_threads),
		TEST_IN_FOLDER(who_lost_its_place_in_the_queue_is_told),
		TEST_IN_FOLDER(who_gives_up_a_place_it_lost_is_told),
		TEST_IN_FOLDER(whatever_is_overwritten_nobody_hangs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
