/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Damage that once did harm, each made by hand.
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
	struct atmost *object = NULL;

	assert_int_equal(0, atmost_create(&object, &shape));
	return object;
}

static struct atmost_member *join(struct atmost *object)
{
	struct atmost_member *me = NULL;

	assert_int_equal(0, atmost_join(object, &me));
	return me;
}

static struct word *word_at(struct atmost *object, unsigned i)
{
	return (struct word *)pool_words(object) + i;
}

static int create(const struct atmost_shape *shape)
{
	struct atmost *object;

	return atmost_create(&object, shape);
}

/* 46341 * (1 + 2 * 46341) is 55607 in 32 bits. */
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

static void the_largest_k_has_room_in_a_status(void **state)
{
	struct atmost *object = make(ATMOST_EXCLUSION, "k-bakery", UINT32_MAX);
	struct atmost_seat seats[5];

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		assert_true(atmost_enter(join(object), NULL) >= 0);
	assert_int_equal(5, atmost_status(object, seats, 5, NULL));
	atmost_close(object);
}

static void own_words_that_others_left_are_forgotten(void **state)
{
	static const char *const names[] = { "roster", "k-bakery" };
	struct atmost_member *me;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *object = make(ATMOST_EXCLUSION, names[i], 2);

		memset(pool_own(object, 0), 0x5a,
		       object->layout.last - object->layout.own);
		me = join(object);
		assert_true(atmost_enter(me, &try) >= 0);
		assert_int_equal(0, atmost_leave(me));
		atmost_close(object);
	}
}

/*
 * Level 9 of session 1 would be node 2, where the other one holds the mutex, and
 * where we would wait at the gate before the first.
 */
static void a_level_that_is_not_there_is_not_reached(void **state)
{
	const struct atmost_want last = { .session = 4, .flags = ATMOST_TRY };
	struct atmost *object = make(ATMOST_GROUP, "session-tree", 0);
	uint64_t *own = pool_own(object, 1);
	struct atmost_member *me;

	(void)state;
	assert_int_equal(0, atmost_enter(join(object), &last));
	me = join(object);
	own[2 * 4] = 5;     /* node 2: the ticket */
	own[2 * 4 + 1] = 1; /* whom we wait for */
	own[2 * 4 + 3] = 1; /* blocked */
	own[3 * 4] = 9;     /* the level */
	assert_int_equal(ATMOST_EBUSY, atmost_enter(me, &try));
	atmost_close(object);
}

static void an_owner_that_is_nobody_is_not_told(void **state)
{
	struct atmost *object = make(ATMOST_MUTEX, "tree-mutex", 1);
	struct atmost_member *me = join(object);

	(void)state;
	mem_poke(word_at(object, 4), 0xffff); /* OWN */
	assert_int_equal(0, atmost_enter(me, &try));
	mem_poke(word_at(object, 4), 6);
	assert_int_equal(0, atmost_leave(me));
	atmost_close(object);
}

static void a_location_that_nobody_has_is_not_written(void **state)
{
	static const char *const names[] = { "am-dsm-induction",
					     "am-dsm-tree" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *object = make(ATMOST_EXCLUSION, names[i], 2);
		struct atmost_member *me = join(object);

		assert_int_equal(0, atmost_enter(me, NULL));
		mem_poke(word_at(object, 4), UINT64_MAX); /* Q */
		assert_int_equal(0, atmost_leave(me));
		atmost_close(object);
	}
}

/* Node 5 is above the leaves of 2 and 3 only, and nobody waits. */
static void an_entry_in_the_wrong_place_of_the_tree_holds_up_nobody(
	void **state)
{
	struct atmost *object = make(ATMOST_ASSIGNMENT, "roster", 2);
	struct roster *m = pool_words(object);

	(void)state;
	mem_poke(node_at(m, &object->shape, 5), entry_of(0, 0));
	mem_poke(&m->ROOT, entry_of(0, 0));
	assert_int_equal(0, atmost_resize(object, 1));
	assert_true(is_empty(mem_peek(&m->ROOT)));
	atmost_close(object);
}

static void a_resize_that_nobody_began_is_ended_to_a_k_that_fits(void **state)
{
	struct atmost *object = make(ATMOST_ASSIGNMENT, "roster", 2);
	struct atmost_totals totals;

	(void)state;
	mem_poke(&object->header->k_now, 99);
	mem_poke(&object->header->resizing, 1);
	assert_int_equal(0, atmost_status(object, NULL, 0, &totals));
	assert_int_equal(0, atmost_resize(object, 1));
	assert_int_equal(0, atmost_status(object, NULL, 0, &totals));
	assert_int_equal(1, totals.k);
	atmost_close(object);
}

/*
 * Of five members the object begins at word 20: current, four words on the
 * toggles, and at 316 the first record, whose results follow 13 words of state
 * and one of toggles.  With its toggle the wrong way round member 0 finds its
 * request done, and a result that nobody has made: ticket 5, slot 99.
 */
static void a_slot_that_is_not_there_is_nobodys(void **state)
{
	struct atmost *object = make(ATMOST_GROUP, "room", 0);
	struct atmost_member *me = join(object);

	(void)state;
	mem_poke(word_at(object, 20 + 4), 1);
	mem_poke(word_at(object, 316 + 14), 5 << 10 | 100);
	assert_int_equal(ATMOST_EEVICTED, atmost_enter(me, &try));
	atmost_close(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shape_whose_size_would_wrap_is_too_large),
		cmocka_unit_test(the_largest_k_has_room_in_a_status),
		cmocka_unit_test(own_words_that_others_left_are_forgotten),
		cmocka_unit_test(a_level_that_is_not_there_is_not_reached),
		cmocka_unit_test(an_owner_that_is_nobody_is_not_told),
		cmocka_unit_test(a_location_that_nobody_has_is_not_written),
		cmocka_unit_test(
			an_entry_in_the_wrong_place_of_the_tree_holds_up_nobody),
		cmocka_unit_test(
			a_resize_that_nobody_began_is_ended_to_a_k_that_fits),
		cmocka_unit_test(a_slot_that_is_not_there_is_nobodys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
