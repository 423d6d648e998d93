/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the simulated store itself: guards, alternatives, stamps, leases,
 * looks, late requests, and that every step can be taken back. */
#include "memory/simulated/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define TEST(name) static void name(void **state)

enum { N = 3, SLOTS = 2 };

/* The store needs no simulated process. */
uint64_t sim_step(enum step_kind kind, struct word *word, uint64_t a,
		  uint64_t b, const char *where)
{
	(void)word;
	(void)a;
	(void)b;
	fail_msg("a process makes step %d at %s", (int)kind, where);
	return 0;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return store_at(STORE_RANGES, SLOTS, N);
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_found((struct word *)shared, store_pool(SLOTS, false));
}

static const struct algorithm table = {
	.name = "words of a store",
	.over_store = true,
	.words = words,
	.init = init,
};

static int open_store(void **state)
{
	const struct shape shape = { .n = N, .k = SLOTS };

	(void)state;
	return sim_open(&table, &shape, -1) ? 0 : -1;
}

static int close_store(void **state)
{
	(void)state;
	sim_close();
	return 0;
}

static struct word *word_of(enum store_range range, unsigned row)
{
	return sim.words + store_at(range, SLOTS, N) + row;
}

static struct word *slot(unsigned i)
{
	return word_of(STORE_SLOT, i);
}

static struct word *ticket(unsigned p)
{
	return word_of(STORE_WAITER, p);
}

/* Puts a value into a word for process p, and returns the answer. */
static int put(unsigned p, struct word *w, uint64_t value)
{
	struct transaction t = mem_begin();

	mem_put(&t, w, value);
	return store_make(p, &t);
}

/* Returns whether a transaction with the guards of t is made. */
static bool holds(struct transaction t)
{
	return store_make(0, &t) == 0;
}

TEST(a_word_is_absent_until_it_is_put_and_after_it_is_dropped)
{
	struct transaction absent = mem_begin(), drop = mem_begin();

	(void)state;
	mem_if_absent(&absent, slot(0));
	mem_drop(&drop, slot(0));
	store_grant(1);
	assert_true(holds(absent));
	assert_int_equal(put(1, slot(0), 7), 0);
	assert_false(holds(absent));
	assert_int_equal(mem_peek_value(slot(0)), 7);
	assert_int_equal(mem_peek_owner(slot(0)), 1);
	assert_int_equal(store_make(2, &drop), 0);
	assert_true(holds(absent));
}

TEST(a_stamp_guard_holds_until_the_word_is_written_again)
{
	struct transaction seen = mem_begin(), never = mem_begin();

	(void)state;
	store_grant(0);
	put(0, slot(0), 5);
	mem_if_stamp(&seen, slot(0), mem_peek_stamp(slot(0)));
	mem_if_stamp(&never, slot(1), 0);
	assert_true(holds(seen));
	assert_true(holds(never)); /* 0 is the stamp of an absent word */
	put(0, slot(0), 5);
	assert_false(holds(seen));
}

TEST(a_range_guard_is_about_every_word_of_the_range)
{
	struct transaction none = mem_begin(), all = mem_begin();

	(void)state;
	store_grant(0);
	mem_if_none(&none, slot(0), SLOTS);
	mem_if_all(&all, slot(0), SLOTS, 4);
	assert_true(holds(none));
	assert_false(holds(all)); /* it does not hold if no word is present */
	put(0, slot(1), 4);
	assert_false(holds(none));
	assert_true(holds(all));
	put(0, slot(0), 3);
	assert_false(holds(all));
	put(0, slot(0), 4);
	assert_true(holds(all));
	put(0, ticket(0), 9); /* a word of another range */
	assert_true(holds(all));
}

TEST(the_first_alternative_that_holds_is_made_alone)
{
	struct transaction t = mem_begin(), no = mem_begin();

	(void)state;
	store_grant(0);
	mem_if_stamp(&t, slot(0), 99);
	mem_put(&t, slot(0), 1);
	mem_else(&t);
	mem_if_absent(&t, slot(0));
	mem_if_absent(&t, slot(1));
	mem_put(&t, slot(0), 2);
	mem_else(&t);
	mem_put(&t, slot(1), 3);
	assert_int_equal(store_make(0, &t), 1);
	assert_int_equal(mem_peek_value(slot(0)), 2);
	assert_int_equal(mem_peek_stamp(slot(1)), 0);
	assert_int_equal(store_make(0, &t), 2);
	assert_int_equal(mem_peek_value(slot(1)), 3);
	mem_if_absent(&no, slot(0));
	mem_put(&no, slot(0), 5);
	assert_int_equal(store_make(0, &no), MEM_NONE);
	assert_int_equal(mem_peek_value(slot(0)), 2);
}

static void expect_growing_stamps(void)
{
	struct transaction two = mem_begin();

	store_grant(0);
	mem_put(&two, slot(0), 0);
	mem_put(&two, ticket(0), 0);
	assert_int_equal(store_make(0, &two), 0);
	assert_int_equal(mem_peek_stamp(slot(0)), mem_peek_stamp(ticket(0)));
	assert_true(mem_peek_stamp(slot(0)) > mem_peek_stamp(sim.words));
	put(0, slot(1), 0);
	assert_true(mem_peek_stamp(slot(1)) > mem_peek_stamp(slot(0)));
}

TEST(stamps_grow_and_are_equal_in_one_transaction)
{
	uint64_t last;

	(void)state;
	expect_growing_stamps();
	store_end_lease(0);
	sim.exact_stamps = true;
	expect_growing_stamps();
	last = mem_peek_stamp(slot(1));
	store_end_lease(0);
	store_grant(0);
	put(0, slot(1), 0);
	assert_true(mem_peek_stamp(slot(1)) > last);
}

TEST(a_put_needs_a_lease_and_a_set_does_not)
{
	struct transaction set = mem_begin();

	(void)state;
	assert_int_equal(put(0, slot(0), 1), MEM_LAPSED);
	assert_int_equal(mem_peek_stamp(slot(0)), 0);
	mem_set(&set, sim.words, store_pool(1, true));
	assert_int_equal(store_make(0, &set), 0);
	assert_int_equal(mem_peek_owner(sim.words), -1);
	assert_int_equal(mem_peek_value(sim.words), store_pool(1, true));
}

TEST(the_end_of_a_lease_removes_its_words_and_no_others)
{
	(void)state;
	store_grant(0);
	store_grant(1);
	put(0, slot(0), 1);
	put(0, ticket(0), 1);
	put(1, slot(1), 1);
	store_end_lease(0);
	assert_false(store_has_lease(0));
	assert_true(store_has_lease(1));
	assert_int_equal(mem_peek_stamp(slot(0)), 0);
	assert_int_equal(mem_peek_stamp(ticket(0)), 0);
	assert_true(mem_peek_stamp(slot(1)) > 0);
	assert_true(mem_peek_stamp(sim.words) > 0);
}

TEST(a_look_sees_all_words_but_members)
{
	struct process *self = &sim.process[1]->self;

	(void)state;
	store_grant(0);
	store_grant(1);
	put(0, slot(0), 6);
	put(1, slot(1), 6);
	put(1, word_of(STORE_MEMBER, 1), 0);
	store_look(1);
	put(0, slot(0), 7);
	assert_int_equal(mem_seen_value(self, slot(0)), 6);
	assert_false(mem_seen_mine(self, slot(0)));
	assert_true(mem_seen_mine(self, slot(1)));
	assert_int_equal(mem_seen(self, slot(1)), mem_peek_stamp(slot(1)));
	assert_int_equal(mem_seen(self, word_of(STORE_MEMBER, 1)), 0);
	assert_true(mem_seen(self, sim.words) > 0);
	mem_unsee(self);
	assert_int_equal(mem_seen(self, slot(1)), 0);
	assert_false(mem_seen_mine(self, slot(1)));
}

static struct transaction putting(struct word *w, uint64_t value)
{
	struct transaction t = mem_begin();

	mem_if_absent(&t, w);
	mem_put(&t, w, value);
	return t;
}

TEST(a_late_request_is_made_as_it_was_sent)
{
	struct transaction first = putting(slot(0), 1);
	struct transaction second = putting(ticket(2), 2);
	struct transaction other = putting(slot(1), 3);

	(void)state;
	store_grant(0);
	store_grant(1);
	store_delay(0, &first);
	store_delay(1, &other);
	store_delay(0, &second);
	assert_int_equal(store_delayed(0), 2);
	assert_int_equal(store_delayed(1), 1);
	assert_int_equal(store_delayed(2), 0);
	store_deliver(0, 1);
	assert_int_equal(mem_peek_value(ticket(2)), 2);
	assert_int_equal(mem_peek_owner(ticket(2)), 0);
	assert_int_equal(mem_peek_stamp(slot(0)), 0);
	store_deliver(1, 0);
	assert_int_equal(mem_peek_value(slot(1)), 3);
	store_deliver(0, 0);
	assert_int_equal(mem_peek_value(slot(0)), 1);
	assert_int_equal(store_delayed(0) + store_delayed(1), 0);
}

TEST(a_late_request_does_nothing_after_the_end_of_its_lease)
{
	struct transaction t = putting(slot(0), 1);
	struct transaction set = mem_begin();

	(void)state;
	mem_set(&set, sim.words, 2);
	store_delay(0, &t); /* process 0 has no lease yet */
	assert_int_equal(store_delayed(0), 0);
	store_grant(0);
	store_delay(0, &t);
	store_delay(0, &set); /* this request needs no lease */
	store_end_lease(0);
	store_grant(0);
	assert_int_equal(store_delayed(0), 1);
	store_deliver(0, 0);
	assert_int_equal(mem_peek_value(sim.words), 2);
	assert_int_equal(mem_peek_stamp(slot(0)), 0);
}

/* The search takes steps back, so every function must record its changes. */
TEST(everything_can_be_taken_back)
{
	struct transaction t = putting(slot(1), 1);
	size_t size = sim.all_words * sizeof *sim.words;
	struct word *before = test_malloc(size);

	(void)state;
	store_set_faults(2);
	store_grant(0);
	put(0, slot(0), 1);
	store_delay(0, &t);
	sim.exact_stamps = true;
	memcpy(before, sim.words, size);
	sim.change_count = 0;
	store_use_fault();
	store_grant(1);
	put(1, ticket(1), 1);
	store_delay(1, &t);
	store_deliver(0, 0);
	store_end_lease(0);
	store_end_lease(1);
	assert_memory_not_equal(before, sim.words, size);
	sim_undo(0);
	assert_memory_equal(before, sim.words, size);
	test_free(before);
}

#define STORE_TEST(name) \
	cmocka_unit_test_setup_teardown(name, open_store, close_store)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORE_TEST(
			a_word_is_absent_until_it_is_put_and_after_it_is_dropped),
		STORE_TEST(a_stamp_guard_holds_until_the_word_is_written_again),
		STORE_TEST(a_range_guard_is_about_every_word_of_the_range),
		STORE_TEST(the_first_alternative_that_holds_is_made_alone),
		STORE_TEST(stamps_grow_and_are_equal_in_one_transaction),
		STORE_TEST(a_put_needs_a_lease_and_a_set_does_not),
		STORE_TEST(the_end_of_a_lease_removes_its_words_and_no_others),
		STORE_TEST(a_look_sees_all_words_but_members),
		STORE_TEST(a_late_request_is_made_as_it_was_sent),
		STORE_TEST(
			a_late_request_does_nothing_after_the_end_of_its_lease),
		STORE_TEST(everything_can_be_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
