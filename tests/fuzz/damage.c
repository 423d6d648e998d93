/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each test makes one kind of damage that fuzzing once found to be harmful.
 * The library must withstand this damage.
 */
#include "algorithms/k_assignment/roster_words.h"
#include "exercise.h"
#include "runtime/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct atmost_want try = { .session = 1, .flags = ATMOST_TRY };

static struct atmost *make(enum atmost_kind kind, const char *algorithm,
			   unsigned k)
{
	const struct atmost_shape shape = {
		.kind = kind,
		.k = k,
		.members = 5,
		.algorithm = algorithm,
		.sessions = kind == ATMOST_GROUP ? 4 : 0,
	};
	struct atmost *pool = NULL;

	assert_int_equal(0, atmost_create(&pool, &shape));
	return pool;
}

static struct atmost_member *join(struct atmost *pool)
{
	struct atmost_member *me = NULL;

	assert_int_equal(0, atmost_join(pool, &me));
	return me;
}

static struct word *word_at(struct atmost *pool, unsigned i)
{
	return (struct word *)pool_words(pool) + i;
}

static int create(const struct atmost_shape *shape)
{
	struct atmost *pool;

	return atmost_create(&pool, shape);
}

/* k-bakery-fife has n * (1 + 2n) words.  For n = 46341 this number wraps to
 * 55607 in 32 bits. */
static void a_shape_whose_size_would_wrap_is_too_large(void **state)
{
	(void)state;
	assert_int_equal(ATMOST_ENOMEM,
			 create(&(struct atmost_shape){
				 .kind = ATMOST_EXCLUSION,
				 .k = 2,
				 .members = 46341,
				 .algorithm = "k-bakery-fife" }));
	for (unsigned s = 1000000007; s < UINT32_MAX - 1000000007;
	     s += 1000000007)
		assert_int_equal(ATMOST_ENOMEM,
				 create(&(struct atmost_shape){
					 .kind = ATMOST_GROUP,
					 .members = 65535,
					 .sessions = s,
					 .algorithm = "session-tree" }));
}

static void status_works_with_the_largest_k(void **state)
{
	struct atmost *pool = make(ATMOST_EXCLUSION, "k-bakery", UINT32_MAX);
	struct atmost_seat seats[5];

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		assert_true(atmost_enter(join(pool), NULL) >= 0);
	assert_int_equal(5, atmost_status(pool, seats, 5, NULL));
	atmost_close(pool);
}

static void a_member_does_not_use_own_words_left_by_another(void **state)
{
	static const char *const names[] = { "roster", "k-bakery" };
	struct atmost_member *me;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *pool = make(ATMOST_EXCLUSION, names[i], 2);

		memset(pool_own(pool, 0), 0x5a,
		       pool->layout.last - pool->layout.own);
		me = join(pool);
		assert_true(atmost_enter(me, &try) >= 0);
		assert_int_equal(0, atmost_leave(me));
		atmost_close(pool);
	}
}

/*
 * Session 1 has no level 9.  A member that used this level would compute node
 * 2, where the other member holds the mutex, and would wait at a gate that lies
 * before the first gate of that node.
 */
static void a_level_that_does_not_exist_is_not_used(void **state)
{
	const struct atmost_want last = { .session = 4, .flags = ATMOST_TRY };
	struct atmost *pool = make(ATMOST_GROUP, "session-tree", 0);
	uint64_t *own = pool_own(pool, 1);
	struct atmost_member *me;

	(void)state;
	assert_int_equal(0, atmost_enter(join(pool), &last));
	me = join(pool);
	own[2 * 4] = 5;     /* node 2: the ticket */
	own[2 * 4 + 1] = 1; /* the member to wait for */
	own[2 * 4 + 3] = 1; /* blocked */
	own[3 * 4] = 9;     /* the level */
	assert_int_equal(ATMOST_EBUSY, atmost_enter(me, &try));
	atmost_close(pool);
}

static void an_owner_that_is_no_member_is_ignored(void **state)
{
	struct atmost *pool = make(ATMOST_MUTEX, "tree-mutex", 1);
	struct atmost_member *me = join(pool);

	(void)state;
	mem_poke(word_at(pool, 4), 0xffff); /* OWN */
	assert_int_equal(0, atmost_enter(me, &try));
	mem_poke(word_at(pool, 4), 6);
	assert_int_equal(0, atmost_leave(me));
	atmost_close(pool);
}

static void a_location_that_does_not_exist_is_not_written(void **state)
{
	static const char *const names[] = { "am-dsm-induction",
					     "am-dsm-tree" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *pool = make(ATMOST_EXCLUSION, names[i], 2);
		struct atmost_member *me = join(pool);

		assert_int_equal(0, atmost_enter(me, NULL));
		mem_poke(word_at(pool, 4), UINT64_MAX); /* Q */
		assert_int_equal(0, atmost_leave(me));
		atmost_close(pool);
	}
}

/* The test writes an entry of member 0 into node 5, which is above the leaves
 * of members 2 and 3 only.  No member waits. */
static void an_entry_in_the_wrong_node_of_the_tree_blocks_no_member(
	void **state)
{
	struct atmost *pool = make(ATMOST_ASSIGNMENT, "roster", 2);
	struct roster *m = pool_words(pool);

	(void)state;
	mem_poke(node_at(m, &pool->shape, 5), entry_of(0, 0));
	mem_poke(&m->ROOT, entry_of(0, 0));
	assert_int_equal(0, atmost_resize(pool, 1));
	assert_true(is_empty(mem_peek(&m->ROOT)));
	atmost_close(pool);
}

static void a_resize_that_no_member_began_ends_with_a_possible_k(void **state)
{
	struct atmost *pool = make(ATMOST_ASSIGNMENT, "roster", 2);
	struct atmost_totals totals;

	(void)state;
	mem_poke(&pool->header->k_now, 99);
	mem_poke(&pool->header->resizing, 1);
	assert_int_equal(0, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(0, atmost_resize(pool, 1));
	assert_int_equal(0, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(1, totals.k);
	atmost_close(pool);
}

/*
 * With five members the object begins at word 20 with `current`; the toggles
 * follow four words later.  The first record begins at word 316; its results
 * follow 13 words of state and one word of toggles.  The test inverts the
 * toggle of member 0.  So member 0 finds that its request is done, with a
 * result that no member computed: ticket 5, slot 99.
 */
static void a_slot_that_does_not_exist_is_not_handed_out(void **state)
{
	struct atmost *pool = make(ATMOST_GROUP, "room", 0);
	struct atmost_member *me = join(pool);

	(void)state;
	mem_poke(word_at(pool, 20 + 4), 1);
	mem_poke(word_at(pool, 316 + 14), 5 << 10 | 100);
	assert_int_equal(ATMOST_EEVICTED, atmost_enter(me, &try));
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shape_whose_size_would_wrap_is_too_large),
		cmocka_unit_test(status_works_with_the_largest_k),
		cmocka_unit_test(
			a_member_does_not_use_own_words_left_by_another),
		cmocka_unit_test(a_level_that_does_not_exist_is_not_used),
		cmocka_unit_test(an_owner_that_is_no_member_is_ignored),
		cmocka_unit_test(a_location_that_does_not_exist_is_not_written),
		cmocka_unit_test(
			an_entry_in_the_wrong_node_of_the_tree_blocks_no_member),
		cmocka_unit_test(
			a_resize_that_no_member_began_ends_with_a_possible_k),
		cmocka_unit_test(a_slot_that_does_not_exist_is_not_handed_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
