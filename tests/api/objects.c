/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests shared objects for the threads of one process. */
#include "object_types.h"

#include "api.h"
#include "common/clock.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

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

	assert_int_equal(error, atmost_object_create(&object, &shape));
	assert_null(object);
	expect_detail(part);
	start_shape();
}

static void the_field_of_an_impossible_shape_is_named(void **state)
{
	struct atmost_object *object = NULL;

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_object_create(&object, NULL));
	expect_detail("needs a shape");
	start_shape();
	shape.type = NULL;
	expect_refused(ATMOST_ESHAPE, "shape.type is NULL");
	type.apply = NULL;
	expect_refused(ATMOST_ESHAPE, "type.apply is NULL");
	type.name[0] = '\0';
	expect_refused(ATMOST_ESHAPE, "type.name is 0");
	memset(type.name, 'x', sizeof type.name);
	expect_refused(ATMOST_ESHAPE, "type.name is 32");
	type.size = 0;
	expect_refused(ATMOST_ESHAPE, "type.size is 0");
	type.size = ATMOST_OBJECT_STATE + 1;
	expect_refused(ATMOST_ESHAPE, "type.size is 1048577");
	type.operations = 0;
	expect_refused(ATMOST_ESHAPE, "type.operations is 0");
	type.arguments = 9;
	expect_refused(ATMOST_ESHAPE, "type.arguments is 9");
	type.results = 0;
	expect_refused(ATMOST_ESHAPE, "type.results is 0");
	type.results = 9;
	expect_refused(ATMOST_ESHAPE, "type.results is 9");
	shape.k = 0;
	expect_refused(ATMOST_ESHAPE, "k is 0");
	shape.k = ATMOST_OBJECT_K + 1;
	expect_refused(ATMOST_ESHAPE, "k is 1025");
	shape.members = 4097;
	expect_refused(ATMOST_ESHAPE,
		       "members is 4097; it must be at most 4096");
	shape.flags = 2;
	expect_refused(ATMOST_ESHAPE, "shape.flags is 0x2");
}

static void the_algorithm_of_a_shared_object_must_be_a_k_assignment(
	void **state)
{
	(void)state;
	start_shape();
	shape.algorithm = "k-bakery";
	expect_refused(ATMOST_EALGORITHM, "needs a k-assignment");
	shape.algorithm = "rosta";
	expect_refused(ATMOST_EALGORITHM, "unknown algorithm 'rosta'");
	shape.algorithm = "renaming/am-queue";
	expect_refused(ATMOST_EALGORITHM, "in the checker only");
	shape.algorithm = "renaming/a-name-that-is-longer-than-any-that-there-"
			  "is-and-does-not-fit-where-names-are-kept-at-all";
	expect_refused(ATMOST_EALGORITHM, "too long");
}

/* The object needs 4.5 gigabytes; the address space is limited to 4. */
static void an_object_that_does_not_fit_in_memory_is_refused(void **state)
{
	const struct rlimit little = { UINT64_C(1) << 32, RLIM_INFINITY };
	struct rlimit before;

	(void)state;
	start_shape();
	type.size = ATMOST_OBJECT_STATE;
	shape.k = ATMOST_OBJECT_K;
	assert_int_equal(0, getrlimit(RLIMIT_AS, &before));
	assert_int_equal(0, setrlimit(RLIMIT_AS, &little));
	expect_refused(ATMOST_ENOMEM, " bytes");
	assert_int_equal(0, setrlimit(RLIMIT_AS, &before));
}

static void atmost_create_does_not_create_shared_objects(void **state)
{
	const struct atmost_shape other = { .kind = ATMOST_OBJECT, .k = 1 };
	struct atmost *pool = NULL;

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_create(&pool, &other));
	expect_detail("atmost_object_create");
	assert_null(pool);
}

/* Operations. */

static void an_operation_is_applied_and_returns_its_results(void **state)
{
	struct atmost_object *object = make_twice(2, 0, NULL, 0);
	struct atmost_object_member *me = join_object(object);
	uint64_t result[2] = { 7, 7 };

	(void)state;
	assert_int_equal(0, number_of(object));
	assert_int_equal(0, add(me, 5));
	assert_int_equal(5, add(me, 37));
	assert_int_equal(42, number_of(object));
	/* Missing arguments are zeros, and results may be ignored. */
	assert_int_equal(0, atmost_object_apply(me, ADD, NULL, NULL));
	assert_int_equal(0,
			 atmost_object_apply_as(me, NULL, ADD, NULL, result));
	assert_int_equal(42, result[0]);
	assert_int_equal(0, result[1]);
	assert_int_equal(0, atmost_object_apply(me, ALL_ONES, NULL, result));
	assert_true(result[0] == UINT64_MAX - 1 && result[1] == UINT64_MAX);
	/* The results of the previous operation are not returned again. */
	assert_int_equal(0, atmost_object_apply(me, SILENT, NULL, result));
	assert_true(result[0] == 0 && result[1] == 0);
	atmost_object_part(me);
	atmost_object_part(NULL);
	atmost_object_close(object);
	atmost_object_close(NULL);
}

static void an_unknown_operation_is_refused(void **state)
{
	static const uint64_t wrong[] = { 0, LAST, UINT64_MAX };
	struct atmost_object *object = make_twice(1, 0, NULL, 0);
	struct atmost_object_member *me = join_object(object);
	uint64_t result[2] = { 7, 7 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(ATMOST_EOPERATION,
				 atmost_object_apply(me, wrong[i], NULL,
						     result));
		expect_detail("the operations of twice are 1 to 6");
	}
	assert_int_equal(7, result[0]);
	atmost_object_close(object);
}

static void an_impossible_want_is_refused(void **state)
{
	struct atmost_object *object = make_twice(1, 0, NULL, 0);
	struct atmost_object_member *me = join_object(object);
	const struct timespec no_time = { 0, -1 };
	struct atmost_object_want want = { .tag = UINT64_C(1) << 63 };

	(void)state;
	assert_int_equal(ATMOST_EWANT,
			 atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	expect_detail("want.tag is 9223372036854775808");
	want = (struct atmost_object_want){ .flags = 6 };
	assert_int_equal(ATMOST_EWANT,
			 atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	want = (struct atmost_object_want){ .deadline = &no_time };
	assert_int_equal(ATMOST_EWANT,
			 atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	assert_int_equal(0, number_of(object));
	atmost_object_close(object);
}

/* Changes every byte of a state of any size. */
static void mix(void *state, size_t size, uint64_t operation,
		const uint64_t *argument, uint64_t *result)
{
	unsigned char *byte = state;

	(void)operation;
	(void)argument;
	result[0] = byte[size - 1];
	for (size_t i = 0; i < size; i++)
		byte[i] = (unsigned char)(byte[i] + i % 7 + 1);
}

static void expect_size(size_t size)
{
	unsigned char *first = malloc(size), *now = malloc(size + 1);
	struct atmost_object *object = NULL;
	struct atmost_object_member *me;
	uint64_t result;

	start_shape();
	for (size_t i = 0; i < size; i++)
		first[i] = (unsigned char)(3 * i);
	type = (struct atmost_object_type){
		.name = "bytes",
		.size = size,
		.initial = first,
		.apply = mix,
		.operations = 1,
		.results = 1,
	};
	shape.flags = ATMOST_OBJECT_GUARDED;
	assert_int_equal(0, atmost_object_create(&object, &shape));
	me = join_object(object);
	for (unsigned round = 0; round < 3; round++) {
		now[size] = 0xee;
		assert_int_equal(0, atmost_object_read(object, now));
		assert_int_equal(0xee, now[size]);
		assert_memory_equal(first, now, size);
		assert_int_equal(0, atmost_object_apply(me, 1, NULL, &result));
		assert_int_equal(first[size - 1], result);
		for (size_t i = 0; i < size; i++)
			first[i] = (unsigned char)(first[i] + i % 7 + 1);
	}
	atmost_object_close(object);
	free(first);
	free(now);
}

static void a_state_may_have_any_number_of_bytes(void **state)
{
	(void)state;
	for (size_t size = 1; size < 26; size++)
		expect_size(size);
	expect_size(4095);
	expect_size(ATMOST_OBJECT_STATE);
}

/* Functions that write outside of their state. */

static void a_guarded_object_refuses_a_function_that_writes_outside_its_state(
	void **state)
{
	static const struct {
		uint64_t operation, argument;
		const char *part;
	} wild[] = {
		{ BEHIND, 1,
		  "operation 4: the function writes outside its "
		  "state of 16 bytes" },
		{ BEHIND, 64, "outside its state" },
		{ BEFORE, 0, "outside its state" },
		{ THIRD, 0, "operation 6: the function writes more than 2" },
	};
	struct atmost_object *object = make_twice(1, 0, NULL,
						  ATMOST_OBJECT_GUARDED);
	struct atmost_object_member *me = join_object(object);
	uint64_t result[2] = { 7, 7 };

	(void)state;
	add(me, 1);
	for (unsigned i = 0; i < sizeof wild / sizeof *wild; i++) {
		const uint64_t argument[2] = { wild[i].argument, 0 };

		assert_int_equal(ATMOST_EOVERRUN,
				 atmost_object_apply(me, wild[i].operation,
						     argument, result));
		expect_detail(wild[i].part);
	}
	assert_int_equal(7, result[0]);
	assert_int_equal(1, add(me, 1));
	assert_int_equal(2, number_of(object));
	atmost_object_close(object);
}

/* Threads. */

enum { THREADS = 6, TIMES = 2000 };

struct worker {
	struct atmost_object *object;
	unsigned char *seen;
	uint64_t bad;
};

static void *work(void *argument)
{
	struct worker *w = argument;
	struct atmost_object_member *me;
	const uint64_t one[2] = { 1, 0 };
	uint64_t result[2], last = 0;

	w->bad = atmost_object_join(w->object, &me) != 0;
	for (unsigned i = 0; !w->bad && i < TIMES; i++) {
		struct twice now;

		w->bad |= atmost_object_apply(me, ADD, one, result) != 0 ||
			  result[0] >= THREADS * TIMES ||
			  (i && result[0] <= last) ||
			  __atomic_fetch_add(&w->seen[result[0]], 1,
					     __ATOMIC_RELAXED) != 0;
		last = result[0];
		w->bad |= atmost_object_read(w->object, &now) != 0 ||
			  now.number != now.again || now.number <= last;
	}
	return NULL; /* when the thread ends, its member parts */
}

static void expect_every_number_once(unsigned k, const char *algorithm,
				     unsigned flags)
{
	static unsigned char seen[THREADS * TIMES];
	struct atmost_object *object = make_twice(k, 0, algorithm, flags);
	struct worker worker[THREADS];
	pthread_t thread[THREADS];
	struct atmost_totals totals;

	memset(seen, 0, sizeof seen);
	for (unsigned i = 0; i < THREADS; i++) {
		worker[i] = (struct worker){ object, seen, 0 };
		assert_int_equal(0, pthread_create(&thread[i], NULL, work,
						   &worker[i]));
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		assert_int_equal(0, worker[i].bad);
	}
	assert_int_equal(THREADS * TIMES, number_of(object));
	assert_int_equal(0, atmost_object_status(object, NULL, 0, &totals));
	assert_int_equal(0, totals.members);
	assert_int_equal(k, totals.k);
	atmost_object_close(object);
}

static void each_operation_of_many_threads_takes_effect_once(void **state)
{
	(void)state;
	expect_every_number_once(1, NULL, 0);
	expect_every_number_once(2, NULL, 0);
	expect_every_number_once(3, NULL, ATMOST_OBJECT_GUARDED);
	expect_every_number_once(8, NULL, 0);
	expect_every_number_once(2, "renaming/am-fast-path", 0);
	expect_every_number_once(3, "renaming/k-bakery", 0);
}

/* Runs a member that stays in the function and holds the only slot. */
static void *stay(void *object)
{
	struct atmost_object_member *me;

	if (atmost_object_join(object, &me) == 0)
		atmost_object_apply(me, ADD, NULL, NULL);
	return NULL;
}

static pthread_t start_staying(struct atmost_object *object)
{
	pthread_t thread;
	char c;

	behaviour_begin();
	behaviour = STAY;
	assert_int_equal(0, pthread_create(&thread, NULL, stay, object));
	assert_int_equal(1, read(staying[0], &c, 1));
	return thread;
}

static void end_staying(pthread_t thread)
{
	assert_int_equal(1, write(go_on[1], "", 1));
	pthread_join(thread, NULL);
}

static void an_operation_that_times_out_has_no_effect(void **state)
{
	struct atmost_object *object = make_twice(1, 0, NULL, 0);
	struct atmost_object_member *me = join_object(object);
	struct atmost_object_want want = { .flags = ATMOST_TRY, .tag = 5 };
	const uint64_t argument[2] = { 1, 0 };
	pthread_t thread = start_staying(object);
	struct atmost_seat seat;
	struct timespec soon;

	(void)state;
	assert_int_equal(ATMOST_EBUSY, atmost_object_apply_as(me, &want, ADD,
							      argument, NULL));
	soon = clock_deadline(0);
	want = (struct atmost_object_want){ .deadline = &soon };
	assert_int_equal(ATMOST_ETIMEDOUT,
			 atmost_object_apply_as(me, &want, ADD, argument,
						NULL));
	assert_int_equal(1, atmost_object_status(object, &seat, 1, NULL));
	assert_int_equal(0, seat.slot);
	assert_int_equal(getpid(), seat.pid);
	end_staying(thread);
	assert_int_equal(0, number_of(object));
	want = (struct atmost_object_want){ .flags = ATMOST_TRY };
	assert_int_equal(0, atmost_object_apply_as(me, &want, ADD, argument,
						   NULL));
	assert_int_equal(1, number_of(object));
	atmost_object_close(object);
}

static void an_algorithm_that_cannot_give_up_refuses_a_try(void **state)
{
	struct atmost_object *object = make_twice(1, 0, "renaming/am-fast-path",
						  0);
	struct atmost_object_member *me = join_object(object);
	const struct atmost_object_want want = { .flags = ATMOST_TRY };

	(void)state;
	assert_int_equal(ATMOST_ENOTABORTABLE,
			 atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	atmost_object_close(object);
}

static void *use_elsewhere(void *member)
{
	static int error;

	error = atmost_object_apply(member, ADD, NULL, NULL);
	atmost_object_part(member);
	return &error;
}

static void a_member_belongs_to_its_thread(void **state)
{
	struct atmost_object *object = make_twice(1, 1, NULL, 0);
	struct atmost_object_member *me = join_object(object), *more = NULL;
	pthread_t thread;
	void *error;

	(void)state;
	assert_int_equal(ATMOST_EFULL, atmost_object_join(object, &more));
	assert_int_equal(0, pthread_create(&thread, NULL, use_elsewhere, me));
	pthread_join(thread, &error);
	assert_int_equal(ATMOST_ETHREAD, *(int *)error);
	assert_int_equal(0, add(me, 1));
	atmost_object_close(object);
}

static void without_a_death_there_is_no_outcome(void **state)
{
	struct atmost_object *object = make_twice(1, 0, NULL, 0);
	struct atmost_object_member *me = join_object(object);
	const struct atmost_object_want want = { .tag = 5 };
	bool happened = true;

	(void)state;
	assert_int_equal(0, atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, 5, &happened, NULL));
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 6, &happened, NULL));
	expect_detail("tag 6");
	atmost_object_part(me);
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 5, &happened, NULL));
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 0, &happened, NULL));
	assert_true(happened);
	atmost_object_close(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_field_of_an_impossible_shape_is_named),
		TEST(the_algorithm_of_a_shared_object_must_be_a_k_assignment),
		TEST(an_object_that_does_not_fit_in_memory_is_refused),
		TEST(atmost_create_does_not_create_shared_objects),
		TEST(an_operation_is_applied_and_returns_its_results),
		TEST(an_unknown_operation_is_refused),
		TEST(an_impossible_want_is_refused),
		TEST(a_state_may_have_any_number_of_bytes),
		TEST(a_guarded_object_refuses_a_function_that_writes_outside_its_state),
		TEST(each_operation_of_many_threads_takes_effect_once),
		TEST(an_operation_that_times_out_has_no_effect),
		TEST(an_algorithm_that_cannot_give_up_refuses_a_try),
		TEST(a_member_belongs_to_its_thread),
		TEST(without_a_death_there_is_no_outcome),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
