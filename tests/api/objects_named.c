/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests shared objects that have a name: shapes, forked children, and damaged
 * memory.
 */
#include "object_types.h"

#include "folder.h"

#include <unistd.h>

enum { AT_STATE_SIZE = 192, AT_RESULTS = 200, AT_TYPE = 208 };

static void all_that_open_a_name_share_one_object(void **state)
{
	struct atmost_object *one = open_twice("o", 2),
			     *two = open_twice("o", 2);
	struct atmost_object_member *me = join_object(one);
	struct atmost_object_member *other = join_object(two);

	(void)state;
	assert_int_equal(0, add(me, 3));
	assert_int_equal(3, add(other, 4));
	assert_int_equal(7, number_of(one));
	atmost_object_close(one);
	assert_int_equal(7, add(other, 1));
	atmost_object_close(two);
	/* The object stays after all its users have closed it, until it is
	 * removed. */
	one = open_twice("o", 2);
	assert_int_equal(8, number_of(one));
	atmost_object_close(one);
	assert_int_equal(0, atmost_unlink("o"));
	one = open_twice("o", 2);
	assert_int_equal(0, number_of(one));
	atmost_object_close(one);
}

/* Shapes. */

static struct atmost_object_type type;
static struct atmost_object_shape shape;

static void start_shape(void)
{
	type = twice_type();
	shape = (struct atmost_object_shape){ .type = &type, .k = 2 };
}

static void expect_refused(int error, const char *part)
{
	struct atmost_object *object = NULL;

	assert_int_equal(error, atmost_object_open(&object, "o", &shape));
	assert_null(object);
	expect_detail(part);
	start_shape();
}

static void an_object_of_another_shape_is_refused(void **state)
{
	struct atmost_object *object = open_twice("o", 2);

	(void)state;
	start_shape();
	strcpy(type.name, "thrice");
	expect_refused(ATMOST_ESHAPE,
		       "o: type is \"twice\", but \"thrice\" was asked for");
	type.size++;
	expect_refused(ATMOST_ESHAPE, "type.size is 16, but 17 was asked for");
	type.operations++;
	expect_refused(ATMOST_ESHAPE, "type.operations is 6, but 7 was");
	type.arguments++;
	expect_refused(ATMOST_ESHAPE, "type.arguments is 2, but 3 was");
	type.results--;
	expect_refused(ATMOST_ESHAPE, "type.results is 2, but 1 was");
	shape.k++;
	expect_refused(ATMOST_ESHAPE, "k is 2, but 3 was");
	shape.members = 63;
	expect_refused(ATMOST_ESHAPE, "members is 64, but 63 was");
	shape.algorithm = "renaming/k-bakery";
	expect_refused(ATMOST_ESHAPE, "algorithm is resilient-object/roster, "
				      "but resilient-object/renaming/");
	shape.algorithm = "roster";
	atmost_object_close(object);
	assert_int_equal(0, atmost_object_open(&object, "o", &shape));
	assert_int_equal(ATMOST_ENAME,
			 atmost_object_open(&object, "a/b", &shape));
	atmost_object_close(object);
}

static void a_pool_is_no_shared_object(void **state)
{
	struct atmost *pool = open_pool("o", "roster", 2, 0);

	(void)state;
	start_shape();
	expect_refused(ATMOST_ESHAPE,
		       "o: kind is exclusion, but object was asked for");
	atmost_close(pool);
}

static void a_shared_object_is_no_pool(void **state)
{
	const struct atmost_shape other = { .kind = ATMOST_ASSIGNMENT, .k = 2 };
	struct atmost_object *object = open_twice("o", 2);
	struct atmost_object_member *me = join_object(object);
	struct atmost_member *member = NULL;
	struct atmost_shape seen;
	struct atmost *pool = NULL;

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, "o", &other));
	expect_detail("kind is object, but assignment was asked for");
	/* A caller that opens the object without a shape can only inspect
	 * it. */
	assert_int_equal(0, atmost_open(&pool, "o", NULL));
	assert_int_equal(0, atmost_inspect(pool, &seen));
	assert_int_equal(ATMOST_OBJECT, seen.kind);
	assert_int_equal(2, seen.k);
	assert_string_equal("resilient-object/roster", seen.algorithm);
	assert_int_equal(0, atmost_status(pool, NULL, 0, NULL));
	assert_int_equal(ATMOST_ESHAPE, atmost_join(pool, &member));
	expect_detail("atmost_object_open");
	assert_int_equal(ATMOST_ENOTRESIZABLE, atmost_resize(pool, 1));
	atmost_close(pool);
	assert_int_equal(0, add(me, 1));
	atmost_object_close(object);
}

static void after_a_reboot_an_object_has_its_initial_state(void **state)
{
	const uint64_t long_ago[2] = { 1, 2 };
	const struct twice first = { 100, 100 };
	struct atmost_object *object = NULL;
	struct atmost *pool = NULL;

	(void)state;
	start_shape();
	type.initial = &first;
	for (unsigned i = 0; i < 2; i++) {
		object = NULL;
		assert_int_equal(0, atmost_object_open(&object, "o", &shape));
		assert_int_equal(100, number_of(object));
		assert_int_equal(100, add(join_object(object), 5));
		atmost_object_close(object);
		file_patch("o", AT_BOOT, long_ago, sizeof long_ago);
		file_sign("o");
	}
	/* Only a caller that has the object type can create the object anew. */
	assert_int_equal(ATMOST_ESHAPE, atmost_open(&pool, "o", NULL));
	expect_detail("before the machine was started");
	type.results--;
	expect_refused(ATMOST_ESHAPE, "type.results");
	object = open_twice("o", 2);
	assert_int_equal(0, number_of(object));
	atmost_object_close(object);
}

/* Forks. */

struct scenario {
	struct atmost_object *object;
	struct atmost_object_member *me;
};

#define EXPECT(condition)                                               \
	do {                                                            \
		if (!(condition)) {                                     \
			fprintf(stderr, "false: %s (%s)\n", #condition, \
				atmost_detail());                       \
			return 1;                                       \
		}                                                       \
	} while (0)

static int use_a_created_object(const void *argument)
{
	const struct scenario *s = argument;
	struct atmost_object_member *me;
	struct twice t;
	bool happened;

	EXPECT(atmost_object_apply(s->me, ADD, NULL, NULL) == ATMOST_EFORKED);
	EXPECT(atmost_object_join(s->object, &me) == ATMOST_EFORKED);
	EXPECT(atmost_object_read(s->object, &t) == ATMOST_EFORKED);
	EXPECT(atmost_object_outcome(s->object, 1, &happened, NULL) ==
	       ATMOST_EFORKED);
	EXPECT(atmost_object_status(s->object, NULL, 0, NULL) ==
	       ATMOST_EFORKED);
	atmost_object_part(s->me);
	atmost_object_close(s->object);
	return 0;
}

static int use_an_opened_object(const void *argument)
{
	const struct scenario *s = argument;
	const uint64_t ten[2] = { 10, 0 };
	struct atmost_object_member *me;
	struct twice t;

	EXPECT(atmost_object_apply(s->me, ADD, NULL, NULL) == ATMOST_EFORKED);
	EXPECT(atmost_object_join(s->object, &me) == 0);
	EXPECT(atmost_object_apply(me, ADD, ten, NULL) == 0);
	EXPECT(atmost_object_read(s->object, &t) == 0 && t.number == 11);
	atmost_object_close(s->object);
	return 0;
}

static void a_child_can_join_an_opened_object_anew(void **state)
{
	struct scenario s = { .object = open_twice("o", 1) };

	(void)state;
	s.me = join_object(s.object);
	add(s.me, 1);
	assert_int_equal(0, in_child(use_an_opened_object, &s));
	assert_int_equal(11, add(s.me, 1));
	atmost_object_close(s.object);
}

static void a_child_cannot_use_a_created_object(void **state)
{
	struct scenario s = { .object = make_twice(1, 0, NULL, 0) };

	(void)state;
	s.me = join_object(s.object);
	assert_int_equal(0, in_child(use_a_created_object, &s));
	assert_int_equal(0, add(s.me, 1));
	atmost_object_close(s.object);
}

/* Damage. */

static void an_impossible_header_is_refused(void **state)
{
	static const struct {
		long at;
		uint32_t value;
	} bad[] = {
		{ AT_STATE_SIZE, 0 },    { AT_STATE_SIZE, UINT32_MAX },
		{ AT_STATE_SIZE, 4096 }, { AT_STATE_SIZE + 4, 9 },
		{ AT_RESULTS, 0 },       { AT_RESULTS, 9 },
		{ AT_RESULTS + 4, 0 },
	};
	char unending[32];

	(void)state;
	start_shape();
	memset(unending, 'x', sizeof unending);
	for (unsigned i = 0; i <= sizeof bad / sizeof *bad; i++) {
		atmost_unlink("o");
		atmost_object_close(open_twice("o", 2));
		if (i < sizeof bad / sizeof *bad)
			file_patch("o", bad[i].at, &bad[i].value, 4);
		else
			file_patch("o", AT_TYPE, unending, sizeof unending);
		expect_refused(ATMOST_ECORRUPT, "wrong checksum");
		file_sign("o");
		expect_refused(ATMOST_ECORRUPT, "o.pool");
	}
}

enum { LINE = 64, WORD = 16 };

/* The offset of the object's words.  They begin with `current`; 4095 is not a
 * possible value of `current`.  The words of the k-assignment come after the
 * words `held`, one for each member: see wait_free_words.h and
 * resilient_object.c. */
static long current_at(void)
{
	return AT_WORDS;
}

static long whole_lines(long words)
{
	return (words * WORD + LINE - 1) / LINE * LINE;
}

/*
 * The offset of roster's words for k = 1.  They are preceded by two lines,
 * announcements of 2 * 4 words, three records, and 64 lines with the words
 * `held`.  A record has 2 words of state, 1 of toggles and 2 of results.
 */
static long roster_at(void)
{
	return current_at() + 2 * LINE + whole_lines(8) + 3 * whole_lines(5) +
	       64 * LINE;
}

static void damaged_words_are_noticed(void **state)
{
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);
	const uint64_t wrong = 4095;
	uint64_t right, result[2] = { 7, 7 };
	struct twice t;

	(void)state;
	add(me, 1);
	file_read("o", current_at(), &right, sizeof right);
	file_patch("o", current_at(), &wrong, sizeof wrong);
	assert_int_equal(ATMOST_ECORRUPT,
			 atmost_object_apply(me, ADD, NULL, result));
	assert_int_equal(7, result[0]);
	assert_int_equal(ATMOST_ECORRUPT, atmost_object_read(object, &t));
	file_patch("o", current_at(), &right, sizeof right);
	assert_int_equal(1, number_of(object));
	atmost_object_close(object);
}

static void a_guarded_object_notices_damage_before_it_announces(void **state)
{
	const uint64_t wrong = 4095;
	struct atmost_object *object = NULL;
	struct atmost_object_member *me;

	(void)state;
	start_shape();
	shape.flags = ATMOST_OBJECT_GUARDED;
	assert_int_equal(0, atmost_object_open(&object, "o", &shape));
	me = join_object(object);
	file_patch("o", current_at(), &wrong, sizeof wrong);
	assert_int_equal(ATMOST_ECORRUPT,
			 atmost_object_apply(me, ADD, NULL, NULL));
	atmost_object_close(object);
}

/* A member does not trust the announcements of other members. */
static void an_announced_unknown_operation_has_no_effect(void **state)
{
	const long announce = current_at() + 2 * LINE;
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);
	const uint64_t odd[2] = { LAST, UINT64_MAX }, pending = 1;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		/* The toggle says that entry 1 is pending.  This member uses
		 * the other entry, so it applies the pending entry first. */
		file_patch("o", announce + 5 * WORD, &odd[i], sizeof odd[i]);
		file_patch("o", current_at() + LINE, &pending, sizeof pending);
		assert_int_equal(0, atmost_object_apply(me, ADD, NULL, NULL));
	}
	assert_int_equal(0, number_of(object));
	atmost_object_close(object);
}

/* A member is evicted during its operation. */

static struct atmost_object *evicting;
static int evicted_result;

static void *apply_evicted(void *unused)
{
	struct atmost_object_member *me = NULL;

	(void)unused;
	if (atmost_object_join(evicting, &me) == 0) {
		evicted_result = atmost_object_apply(me, ADD, NULL, NULL);
		if (evicted_result == ATMOST_EEVICTED)
			evicted_result = atmost_object_apply(me, ADD, NULL,
							     NULL);
	}
	return NULL;
}

static void a_member_that_was_taken_for_dead_is_told(void **state)
{
	/* The lines of roster are ROOT, TOKEN with LIMIT, slot 0. */
	const long slot = roster_at() + 2 * LINE;
	const uint64_t none = 0;
	uint64_t holder;
	pthread_t thread;
	char c;

	(void)state;
	evicting = open_twice("o", 1);
	behaviour_begin();
	behaviour = STAY;
	assert_int_equal(0, pthread_create(&thread, NULL, apply_evicted, NULL));
	assert_int_equal(1, read(staying[0], &c, 1));
	file_read("o", slot, &holder, sizeof holder);
	assert_int_equal(1, holder & 3); /* otherwise this is not the slot */
	file_patch("o", slot, &none, sizeof none);
	assert_int_equal(1, write(go_on[1], "", 1));
	pthread_join(thread, NULL);
	assert_int_equal(ATMOST_EEVICTED, evicted_result);
	atmost_object_close(evicting);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(all_that_open_a_name_share_one_object),
		TEST_IN_FOLDER(an_object_of_another_shape_is_refused),
		TEST_IN_FOLDER(a_pool_is_no_shared_object),
		TEST_IN_FOLDER(a_shared_object_is_no_pool),
		TEST_IN_FOLDER(after_a_reboot_an_object_has_its_initial_state),
		TEST_IN_FOLDER(a_child_can_join_an_opened_object_anew),
		TEST_IN_FOLDER(a_child_cannot_use_a_created_object),
		TEST_IN_FOLDER(an_impossible_header_is_refused),
		TEST_IN_FOLDER(damaged_words_are_noticed),
		TEST_IN_FOLDER(
			a_guarded_object_notices_damage_before_it_announces),
		TEST_IN_FOLDER(an_announced_unknown_operation_has_no_effect),
		TEST_IN_FOLDER(a_member_that_was_taken_for_dead_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
