/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls the functions of an algorithm one by one, in native memory and in one
 * thread, so that the test chooses the order of the processes.  The checker
 * takes at most twelve processes and starts at token 1; these tests take ids
 * beyond 63, and tokens beyond the largest one.
 */
#include "arena.h"

#include "algorithms/k_assignment/roster_words.h"
#include "algorithms/registry.h"
#include "common/watchdog.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Sets of processes take several words, and 5, 69 and 133 have the same bit in
 * three of them. */
enum { MANY = 134, LOW = 5, HIGH = 69, TOP = 133 };

struct hall {
	struct arena arena;
	struct process process[MANY];
};

static void open_hall(struct hall *hall, const struct algorithm *a, unsigned n,
		      unsigned k)
{
	if (a->kind == KIND_GROUP_EXCLUSION)
		arena_build_group(&hall->arena, a->name, n, 2);
	else
		arena_build(&hall->arena, a->name, n, k);
	for (unsigned id = 0; id < n; id++)
		hall->process[id] = arena_process(&hall->arena, id);
}

/* Makes passes until the process is inside, or a pass names a word to sleep
 * on.  Returns whether the process is inside. */
static bool gets_in(struct hall *hall, unsigned id)
{
	const struct algorithm *a = hall->arena.algorithm;
	struct wait_set wait;
	bool inside;

	do {
		wait_begin(&wait);
		inside = a->poll(arena_words(&hall->arena), &hall->process[id],
				 &wait);
	} while (!inside && wait.count == 0);
	if (inside && a->settle)
		a->settle(arena_words(&hall->arena), &hall->process[id]);
	return inside;
}

static bool comes(struct hall *hall, unsigned id, uint64_t session)
{
	const struct algorithm *a = hall->arena.algorithm;

	hall->process[id].session = session;
	if (!a->doorway(arena_words(&hall->arena), &hall->process[id]))
		return gets_in(hall, id);
	if (a->settle)
		a->settle(arena_words(&hall->arena), &hall->process[id]);
	return true;
}

static void goes(struct hall *hall, unsigned id)
{
	arena_leave(&hall->arena, &hall->process[id]);
}

static void close_hall(struct hall *hall)
{
	const struct algorithm *a = hall->arena.algorithm;

	if (a->quiet)
		assert_true(a->quiet(arena_words(&hall->arena),
				     &hall->arena.shape));
	arena_tear_down(&hall->arena);
}

/* The waiter enters when the last of the holders has left, and not before. */
static void expect_waits_for_all(const struct algorithm *a, unsigned waiter,
				 const unsigned holder[3])
{
	struct hall hall;

	open_hall(&hall, a, MANY, 0);
	for (unsigned i = 0; i < 3; i++)
		assert_true(comes(&hall, holder[i], 1));
	assert_false(comes(&hall, waiter, 2));
	for (unsigned i = 0; i < 3; i++) {
		assert_false(gets_in(&hall, waiter));
		goes(&hall, holder[i]);
	}
	assert_true(gets_in(&hall, waiter));
	assert_false(comes(&hall, HIGH, 1));
	goes(&hall, waiter);
	assert_true(gets_in(&hall, HIGH));
	goes(&hall, HIGH);
	close_hall(&hall);
}

static void a_group_conflicts_with_ids_beyond_63(void **state)
{
	const unsigned rising[3] = { LOW, HIGH, TOP };
	const unsigned falling[3] = { TOP, HIGH, LOW };
	const struct algorithm *a;

	(void)state;
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		if (a->kind != KIND_GROUP_EXCLUSION || !a->poll ||
		    !algorithm_is_native(a))
			continue;
		print_message("%s\n", a->name);
		expect_waits_for_all(a, 0, rising);
		expect_waits_for_all(a, 64, rising);
		expect_waits_for_all(a, 1, falling);
		expect_waits_for_all(a, 132, falling);
	}
}

/*
 * The only member inside has this id, which no member had before.  It was let in
 * from the queue, or took the short way.
 */
static void expect_is_seen(unsigned id, bool short_way)
{
	struct hall hall;

	open_hall(&hall, registry_find("hall"), MANY, 0);
	if (short_way) {
		assert_true(comes(&hall, 1, 1));
		goes(&hall, 1);
	}
	assert_true(comes(&hall, id, 1));
	assert_false(comes(&hall, 0, 2));
	goes(&hall, id);
	assert_true(gets_in(&hall, 0));
	goes(&hall, 0);
	close_hall(&hall);
}

/* A member of hall looks only for members with ids that have been used. */
static void hall_sees_a_member_whose_id_is_new(void **state)
{
	static const unsigned id[] = { 2,  3,  4,  5,  7,  8,   15,  16,
				       31, 32, 63, 64, 65, 127, 128, 133 };

	(void)state;
	for (unsigned i = 0; i < sizeof id / sizeof *id; i++) {
		expect_is_seen(id[i], false);
		expect_is_seen(id[i], true);
	}
}

/* The first members with ids from 4 on come while the hall drains, and after
 * the session has changed. */
static void new_ids_come_while_another_session_drains(void **state)
{
	struct hall hall;

	(void)state;
	open_hall(&hall, registry_find("hall"), MANY, 0);
	assert_true(comes(&hall, 1, 1));
	assert_true(comes(&hall, 2, 1));
	assert_false(comes(&hall, 0, 2));
	assert_false(comes(&hall, LOW, 1));
	assert_false(comes(&hall, HIGH, 2));
	goes(&hall, 1);
	assert_false(gets_in(&hall, 0));
	goes(&hall, 2);
	assert_true(gets_in(&hall, 0));
	assert_false(gets_in(&hall, LOW));
	assert_false(gets_in(&hall, HIGH));
	assert_false(comes(&hall, TOP, 2));
	goes(&hall, 0);
	assert_true(gets_in(&hall, LOW));
	assert_false(gets_in(&hall, HIGH));
	goes(&hall, LOW);
	assert_true(gets_in(&hall, HIGH));
	assert_true(gets_in(&hall, TOP));
	assert_true(comes(&hall, 70, 2));
	assert_false(comes(&hall, 3, 1));
	goes(&hall, HIGH);
	assert_false(gets_in(&hall, 3));
	goes(&hall, TOP);
	assert_false(gets_in(&hall, 3));
	goes(&hall, 70);
	assert_true(gets_in(&hall, 3));
	goes(&hall, 3);
	close_hall(&hall);
}

static void slots_beyond_63_have_one_holder_each(void **state)
{
	static const char *const names[] = { "room", "room-capture", "hall" };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct hall hall;

		open_hall(&hall, registry_find(names[i]), MANY, 0);
		for (unsigned id = 0; id < MANY; id++) {
			assert_true(comes(&hall, id, 1));
			assert_int_equal(id, hall.process[id].slot);
		}
		for (unsigned id = 1; id < MANY; id += 63) {
			goes(&hall, id);
			assert_true(comes(&hall, id, 1));
			assert_int_equal(id, hall.process[id].slot);
		}
		for (unsigned id = 0; id < MANY; id++)
			goes(&hall, id);
		close_hall(&hall);
	}
}

static void expect_in_order(const struct algorithm *a, unsigned k)
{
	const unsigned id[] = { LOW, HIGH, 64, TOP, 63 };
	enum { COUNT = sizeof id / sizeof *id };
	struct hall hall;

	open_hall(&hall, a, MANY, k);
	for (unsigned i = 0; i < COUNT; i++)
		assert_int_equal(i < k, comes(&hall, id[i], 0));
	for (unsigned i = 0; i < COUNT; i++) {
		for (unsigned j = i + k; j < COUNT; j++)
			assert_false(gets_in(&hall, id[j]));
		goes(&hall, id[i]);
		if (i + k < COUNT)
			assert_true(gets_in(&hall, id[i + k]));
	}
	close_hall(&hall);
}

static void ids_beyond_63_wait_their_turn(void **state)
{
	const struct algorithm *a;

	(void)state;
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		if (a->kind == KIND_GROUP_EXCLUSION || a->kind == KIND_OBJECT ||
		    !a->poll || !algorithm_is_native(a))
			continue;
		print_message("%s\n", a->name);
		expect_in_order(a, 1);
		if (a->limits.most_k != 1)
			expect_in_order(a, 2);
	}
}

enum { WAITERS = 6 };

static void expect_ranks_in_order(struct hall *hall, unsigned from)
{
	uint64_t last = 0;

	for (unsigned id = from; id <= WAITERS; id++) {
		uint64_t rank = hall->arena.algorithm->rank(
			arena_words(&hall->arena), &hall->arena.shape, id);

		assert_true(rank > last);
		last = rank;
	}
}

/* After the largest token, tokens start again from the first one.  This happens
 * `before` draws after the draw of the first waiter. */
static void expect_order_around_the_first_token(unsigned before)
{
	struct hall hall;
	struct roster *m;

	open_hall(&hall, registry_find("roster"), WAITERS + 1, 1);
	m = (struct roster *)arena_words(&hall.arena);
	mem_poke(&m->TOKEN, (UINT64_C(1) << STAMP_BITS) - before);
	assert_true(comes(&hall, 0, 0));
	for (unsigned id = 1; id <= WAITERS; id++)
		assert_false(comes(&hall, id, 0));
	for (unsigned id = 1; id <= WAITERS; id++) {
		expect_ranks_in_order(&hall, id);
		for (unsigned other = id; other <= WAITERS; other++)
			assert_false(gets_in(&hall, other));
		goes(&hall, id - 1);
		for (unsigned other = WAITERS; other > id; other--)
			assert_false(gets_in(&hall, other));
		assert_true(gets_in(&hall, id));
		assert_int_equal(id, hall.arena.algorithm->holder(
					     m, &hall.arena.shape, 0));
	}
	goes(&hall, WAITERS);
	close_hall(&hall);
}

static void tokens_keep_their_order_when_they_start_again_at_0(void **state)
{
	(void)state;
	for (unsigned before = 0; before <= WAITERS; before++)
		expect_order_around_the_first_token(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_conflicts_with_ids_beyond_63),
		cmocka_unit_test(hall_sees_a_member_whose_id_is_new),
		cmocka_unit_test(new_ids_come_while_another_session_drains),
		cmocka_unit_test(slots_beyond_63_have_one_holder_each),
		cmocka_unit_test(ids_beyond_63_wait_their_turn),
		cmocka_unit_test(
			tokens_keep_their_order_when_they_start_again_at_0),
	};

	watchdog_start("a function of an algorithm does not return\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
