/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the checker itself: its answers do not depend on how it searches, its
 * counterexamples can be replayed, and it refuses questions that it cannot
 * answer. */
#include "check.h"
#include "tests/common/size.h"

#include <stdio.h>
#include <string.h>

static const struct lab_answer *ask(struct lab_check **c, struct lab_question q)
{
	char error[LAB_ERROR];

	*c = lab_check_start(&q, error);
	if (!*c)
		fail_msg("%s", error);
	while (lab_check_advance(*c, 3600, NULL))
		;
	return lab_check_answer(*c);
}

#define QUESTION(...)                                        \
	((struct lab_question){ .n = -1,                     \
				.k = -1,                     \
				.sessions = -1,              \
				.crashes = -1,               \
				.deaths = -1,                \
				.aborts = -1,                \
				.memory = (uint64_t)1 << 30, \
				__VA_ARGS__ })

static unsigned bit(const char *property)
{
	return 1u << lab_property_number(property);
}

static uint64_t states_of(struct lab_question q)
{
	struct lab_check *c;
	const struct lab_answer *a = ask(&c, q);
	uint64_t states = a->states;

	assert_int_equal(a->verdict, LAB_HOLDS);
	lab_check_end(c);
	return states;
}

/* Only the numbers in the returned answer are valid: its pointers are not valid
 * after lab_check_end. */
static struct lab_answer answer_to(struct lab_question q)
{
	struct lab_check *c;
	struct lab_answer a = *ask(&c, q);

	lab_check_end(c);
	return a;
}

/*
 * If the checker finds fewer states than a hand-written model of the same
 * algorithm has, it misses states.  If it finds many more, it probably counts
 * dead values in registers as part of a state.  (If gcc compiles the
 * algorithms, the two numbers are equal.)
 */
static void about_as_many(const char *algorithm, int n, int k, int passages,
			  uint64_t by_hand)
{
	uint64_t states = states_of(QUESTION(.algorithm = algorithm, .n = n,
					     .k = k, .passages = { passages },
					     .passage_count = 1,
					     .properties = bit("at-most-k")));

	printf("    %s n=%d k=%d: %lu states, by hand %lu\n", algorithm, n, k,
	       (unsigned long)states, (unsigned long)by_hand);
	assert_in_range(states, by_hand, 3 * by_hand);
}

TEST(models_written_by_hand_have_about_as_many_states)
{
	(void)state;
	about_as_many("am-induction", 3, 1, 0, 6867);
	about_as_many("am-induction", 4, 3, 0, 4316);
	about_as_many("am-induction", 4, 2, 0, 161880);
	about_as_many("k-bakery", 3, 2, 2, 329629);
}

struct instance {
	const char *algorithm;
	int n, k, passages, aborts, deaths, resize;
};

/* At least one instance for each kind of algorithm for which the search has
 * special code. */
static const struct instance instances[] = {
	{ "dijkstra", 3, 1, 0, 0, 0, 0 },
	{ "bakery", 3, 1, 1, 0, 0, 0 },
	{ "queue-mutex", 4, 1, 2, 1, 0, 0 },
	{ "k-ticket", 4, 2, 3, 0, 0, 0 },
	{ "k-bakery", 3, 2, 1, 1, 1, 0 },
	{ "k-bakery-fife", 3, 2, 1, 1, 0, 0 },
	{ "k-bakery-safe", 2, 1, 2, 1, 0, 0 },
	{ "am-induction", 4, 2, 1, 0, 0, 0 },
	{ "toy-considerate-room", 4, 0, 1, 0, 0, 0 },
	{ "toy-drowsy", 3, 2, 2, 1, 0, 0 },
	{ "toy-drowsy-ticket", 4, 2, 1, 0, 0, 0 },
	{ "toy-fidget", 3, 1, 1, 1, 0, 0 },
	{ "toy-elastic", 3, 2, 1, 1, 1, 1 },
	{ "wait-free-object", 2, 1, 2, 0, 1, 0 },
	{ "resilient-object", 2, 1, 1, 1, 0, 0 },
};

enum { INSTANCES = sizeof instances / sizeof *instances };

/* The same kinds for a small run. */
static const struct instance small_instances[INSTANCES] = {
	{ "dijkstra", 3, 1, 0, 0, 0, 0 },
	{ "bakery", 3, 1, 1, 0, 0, 0 },
	{ "queue-mutex", 3, 1, 2, 1, 0, 0 },
	{ "k-ticket", 3, 2, 3, 0, 0, 0 },
	{ "k-bakery", 2, 1, 2, 1, 1, 0 },
	{ "k-bakery-fife", 2, 1, 2, 1, 0, 0 },
	{ "k-bakery-safe", 2, 1, 1, 1, 0, 0 },
	{ "am-induction", 3, 1, 1, 0, 0, 0 },
	{ "toy-considerate-room", 4, 0, 1, 0, 0, 0 },
	{ "toy-drowsy", 3, 2, 2, 1, 0, 0 },
	{ "toy-drowsy-ticket", 4, 2, 1, 0, 0, 0 },
	{ "toy-fidget", 3, 1, 1, 1, 0, 0 },
	{ "toy-elastic", 3, 2, 1, 1, 1, 1 },
	{ "wait-free-object", 2, 1, 1, 0, 1, 0 },
	{ "resilient-object", 2, 1, 1, 1, 0, 0 },
};

static const struct instance *instance_at(size_t i)
{
	return size_is_small() ? &small_instances[i] : &instances[i];
}

static struct lab_question question_of(const struct instance *i)
{
	return QUESTION(.algorithm = i->algorithm, .n = i->n, .k = i->k,
			.passages = { i->passages }, .passage_count = 1,
			.aborts = i->aborts, .deaths = i->deaths,
			.resize = { i->resize }, .resize_count = i->resize > 0,
			.workers = 1);
}

/*
 * Two workers reach states along different paths than one worker does.  If a
 * search counted two states as one, or one state as two, the numbers of states
 * would differ.
 */
TEST(one_worker_and_two_see_the_same_states)
{
	(void)state;
	for (size_t i = 0; i < INSTANCES; i++) {
		struct lab_question q = question_of(instance_at(i));
		uint64_t one = states_of(q);

		q.workers = 2;
		assert_int_equal(states_of(q), one);
		q.workers = 5;
		assert_int_equal(states_of(q), one);
	}
}

/*
 * If the states of an algorithm that retries form no cycle, a search that does
 * not record the graph of states gives the same answer as a search that does.
 * If the states form a cycle, the search must record the graph.
 */
TEST(a_graph_without_cycles_gives_the_same_answers)
{
	static const struct straight {
		struct instance instance;
		bool has_cycles, is_large;
	} all[] = {
		{ { "roster", 2, 1, 1, 1, 0, 0 }, false, false },
		{ { "roster", 2, 1, 1, 1, 1, 0 }, false, false },
		{ { "roster", 2, 1, 2, 1, 0, 2 }, false, false },
		{ { "roster", 2, 1, 2, 1, 0, 0 }, false, true },
		{ { "roster", 3, 1, 1, 0, 0, 2 }, false, true },
		{ { "toy-fidget", 3, 1, 1, 1, 0, 0 }, true, false },
		{ { "toy-locked-out", 2, 1, 1, 0, 0, 0 }, true, false },
		{ { "toy-after-you", 3, 1, 1, 0, 0, 0 }, true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct lab_question q = question_of(&all[i].instance);
		struct lab_answer lean, whole;

		if (all[i].is_large && size_is_small())
			continue;
		lean = answer_to(q);
		q.keep_graph = true;
		whole = answer_to(q);
		assert_int_equal(lean.states, whole.states);
		assert_int_equal(lean.violated, whole.violated);
		assert_int_equal(lean.verdict, whole.verdict);
		if (all[i].has_cycles)
			assert_true(lean.bytes_per_state ==
				    whole.bytes_per_state);
		else
			assert_true(lean.bytes_per_state <
				    whole.bytes_per_state);
	}
}

/* A move that the checker looks up must equal the move that the process would
 * make. */
TEST(the_move_cache_changes_no_state)
{
	(void)state;
	for (size_t i = 0; i < INSTANCES; i++) {
		struct lab_question q = question_of(instance_at(i));
		uint64_t looked_up = states_of(q);

		q.make_every_move = true;
		assert_int_equal(states_of(q), looked_up);
	}
}

TEST(a_schedule_that_was_found_replays)
{
	struct lab_check *c, *again;
	const struct lab_answer *a = ask(&c,
					 QUESTION(.algorithm = "k-bakery~no-14",
						  .n = 3, .k = 1,
						  .properties = bit("k-fcfs")));
	char error[LAB_ERROR] = "";

	(void)state;
	again = lab_replay(a->schedule, error);
	assert_non_null(again);
	assert_int_equal(lab_check_answer(again)->first, bit("k-fcfs"));
	assert_int_equal(lab_check_answer(again)->steps, a->steps);
	for (size_t i = 0; i < a->steps; i++)
		assert_memory_equal(&a->step[i],
				    &lab_check_answer(again)->step[i],
				    sizeof *a->step);
	lab_check_end(again);
	lab_check_end(c);
}

TEST(a_cycle_that_was_found_closes_when_replayed)
{
	(void)state;
	expect_replays("no-starvation",
		       "toy-barging n=2 k=1 passages=0,0 property=no-starvation"
		       " : 0 | 0 1*3 0 1");
}

TEST(torn_reads_aborts_deaths_and_wakes_replay)
{
	(void)state;
	expect_replays("at-most-k",
		       "bakery~no-doorway-wait n=2 k=1 passages=1,1 : "
		       "0*4 1*2 1=0 1*4 1=0 0*4");
	expect_replays("bounded-abort", "toy-stubborn-abort n=2 k=1 aborts=1 "
					"property=bounded-abort : 0 1 1a");
	expect_replays("quiescence", "k-bakery~short-recovery n=2 k=1 deaths=1 "
				     "property=quiescence : 0 0d 0");
	expect_replays("no-lost-wake",
		       "k-ticket~no-wake n=2 k=1 wakes : 0*2 1*2 0");
	expect_replays("session-exclusion", "toy-open-house n=2 m=2 : 0@1 1@2");
}

/* The word still has its old value, but a read that overlaps the write may
 * return any value. */
TEST(a_pass_may_be_repeated_while_a_word_it_read_is_written)
{
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay("k-bakery-safe n=2 k=1 : 0*21 1*15 "
					 "0*3 1 1=18446744073709551615",
					 error);

	(void)state;
	if (!c)
		fail_msg("%s", error);
	lab_check_end(c);
}

static void does_not_fit(const char *schedule, const char *words)
{
	char error[LAB_ERROR] = "";

	if (lab_replay(schedule, error) || !strstr(error, words))
		fail_msg("'%s' should say '%s'", error, words);
}

TEST(the_step_at_which_a_schedule_does_not_fit_is_named)
{
	(void)state;
	does_not_fit("k-ticket n=2 k=1 : 0 1*2", "step 3");
	does_not_fit("k-ticket n=2 k=1 : 0 2", "no process 2");
	does_not_fit("k-ticket n=2 k=1 : 0*5", "step 4");
	does_not_fit("k-ticket n=2 k=1 : 0a", "step 1");
	does_not_fit("k-ticket n=2 k=1 0", "NAME=NUMBER");
	does_not_fit("k-ticket n=2 k=1", "no ':'");
	does_not_fit("k-ticket n=x : 0", "not a number");
	does_not_fit("k-ticket n=2 k=1 speed=3 : 0", "unknown");
	does_not_fit("k-ticket n=2 k=1 : zero", "begin with a process");
	does_not_fit("k-tickt n=2 k=1 : 0", "nearest: k-ticket");
	does_not_fit("k-ticket n=2 k=1 passages=1,x : 0", "list of numbers");
	does_not_fit("", "no ':'");
}

TEST(impossible_questions_are_refused_with_a_reason)
{
	(void)state;
	expect_refused("nearest: k-bakery", "k-bakry", .n = 2);
	expect_refused("at least 2", "dijkstra", .n = 1);
	expect_refused("at most 1", "bakery", .n = 3, .k = 2);
	expect_refused("at most 15", "queue-mutex", .n = 16);
	expect_refused("at most 12", "k-ticket", .n = 13);
	expect_refused("grow for ever", "roster", .n = 2, .passages = -1);
	expect_refused("cannot give up", "k-ticket", .aborts = 1);
	expect_refused("cannot recover", "k-ticket", .deaths = 1);
	expect_refused("at most 2 of the 3 processes can crash", "k-ticket",
		       .n = 3, .k = 3, .crashes = 3);
	expect_refused("no sessions", "k-ticket", .sessions = 2);
	expect_refused("no sessions", "k-ticket",
		       .only = "concurrent-entering");
	expect_refused("is not an object type", "k-ticket",
		       .only = "linearizable");
	expect_refused("has none", "dijkstra", .only = "invariant");
	expect_refused("at most 255 sessions", "toy-open-house",
		       .sessions = 256);
	expect_refused("no doorway", "am-induction", .only = "fife");
	expect_refused("use k-fcfs", "k-ticket", .n = 3, .k = 2,
		       .only = "fcfs");
}

TEST(k_may_be_larger_than_the_number_of_processes)
{
	(void)state;
	expect_holds("k-ticket", .n = 2, .k = 4);
	expect_holds("k-bakery", .n = 2, .k = 4);
	expect_holds("am-induction", .n = 2, .k = 4);
}

TEST(a_check_that_runs_out_of_time_or_memory_is_bounded)
{
	struct lab_check *c;
	const struct lab_answer *a = ask(&c, QUESTION(.algorithm = "k-bakery",
						      .n = 4, .k = 2,
						      .passages = { 3 },
						      .passage_count = 1,
						      .seconds = 0.5));

	(void)state;
	assert_int_equal(a->verdict, LAB_BOUNDED);
	assert_string_equal(a->bound, "time");
	assert_int_equal(a->undecided, a->asked);
	lab_check_end(c);

	a = ask(&c, QUESTION(.algorithm = "k-bakery", .n = 4, .k = 2,
			     .passages = { 3 }, .passage_count = 1,
			     .properties = bit("at-most-k"),
			     .memory = (uint64_t)64 << 20));
	assert_int_equal(a->verdict, LAB_BOUNDED);
	assert_string_equal(a->bound, "memory");
	assert_true(a->undecided & bit("at-most-k"));
	lab_check_end(c);
}

TEST(an_overflow_of_a_simulated_stack_is_reported_as_a_failure)
{
	struct lab_check *c;
	const struct lab_answer *a = ask(&c, QUESTION(.algorithm = "toy-deep"));

	(void)state;
	assert_int_equal(a->verdict, LAB_FAILED);
	assert_non_null(strstr(a->message, "overflowed its simulated stack"));
	lab_check_end(c);
}

TEST(a_poll_that_writes_and_fails_needs_retries_in_its_table)
{
	struct lab_check *c;
	const struct lab_answer *a = ask(&c,
					 QUESTION(.algorithm = "toy-knocking",
						  .n = 2));

	(void)state;
	assert_int_equal(a->verdict, LAB_FAILED);
	assert_non_null(strstr(a->message, "set .retries"));
	lab_check_end(c);
}

TEST(a_poll_may_write_in_the_pass_that_succeeds)
{
	(void)state;
	expect_holds("k-bakery-fife", .n = 2, .k = 1, .passages = 2);
}

/* A process whose pass read two different values of one word may make another
 * pass at once: the word differs from one of the two values. */
TEST(a_pass_may_read_a_word_twice)
{
	(void)state;
	expect_holds("toy-double-look", .n = 2, .passages = 2);
	expect_holds("toy-double-look", .n = 3);
}

TEST(the_first_pass_of_a_poll_waits_for_nothing)
{
	(void)state;
	expect_holds("toy-glance", .n = 2);
}

TEST(a_process_that_settles_cannot_give_up)
{
	struct lab_question q = QUESTION(.algorithm = "toy-settler", .n = 3);
	uint64_t states = states_of(q);

	(void)state;
	q.aborts = 1;
	assert_int_equal(states_of(q), states);
}

/* An await_any on one word is an await.  In the search with wake-ups, the words
 * on which a process has slept do not matter after its wait. */
TEST(a_process_forgets_what_it_slept_on_when_its_wait_is_over)
{
	struct lab_question q = QUESTION(.algorithm = "toy-settler-await",
					 .n = 3,
					 .properties = bit("no-lost-wake"));
	uint64_t states = states_of(q);

	(void)state;
	q.algorithm = "toy-settler-any";
	assert_int_equal(states_of(q), states);
}

/* A process whose wait would be over is not blocked, even if it would sleep
 * again: in `settle`, or in a second wait of `enter`. */
TEST(a_process_must_be_woken_even_if_it_would_sleep_again)
{
	(void)state;
	expect_breaks("prompt-wake", "toy-silent-gate", .n = 2,
		      .holds = "at-most-k");
	expect_breaks("prompt-wake", "toy-two-gates", .n = 2,
		      .holds = "at-most-k");
}

TEST(a_poll_may_name_two_values_of_a_word)
{
	(void)state;
	expect_holds("toy-both-values", .n = 2);
}

/* Other processes may step after the last read of a pass and before the process
 * compares the words that the pass has named. */
TEST(a_wake_up_is_lost_if_a_poll_names_an_old_value)
{
	(void)state;
	expect_breaks("no-lost-wake", "toy-old-name", .n = 2,
		      .holds = "at-most-k,no-deadlock,no-starvation");
	expect_replays("no-lost-wake", "toy-old-name n=2 wakes : "
				       "0*2 1*2 0 1 0 1");
}

/* The looks of an await_any in a doorway are steps of the doorway.  Whether a
 * process may look again is then part of the state, or the number of states
 * would depend on the order of the search. */
TEST(workers_see_the_same_states_if_looks_are_counted)
{
	struct lab_question q = QUESTION(.algorithm = "toy-looking-doorway",
					 .n = 3, .workers = 1,
					 .properties = bit("bounded-doorway"));
	uint64_t states = answer_to(q).states;

	(void)state;
	for (q.workers = 2; q.workers <= 5; q.workers++)
		assert_int_equal(answer_to(q).states, states);
}

TEST(a_resize_is_not_an_operation)
{
	(void)state;
	expect_holds("toy-ghost-adder", .n = 2, .k = 1, .passages = 2);
	expect_breaks("linearizable", "toy-ghost-adder", .n = 2, .k = 1,
		      .resize = { 1 });
}

/* If the search did not stop at the bound, the operation would have infinitely
 * many states. */
TEST(the_search_ends_at_a_step_too_many_of_an_operation)
{
	struct lab_answer a = answer_to(
		QUESTION(.algorithm = "toy-counting-apply", .n = 1,
			 .workers = 1));

	(void)state;
	assert_int_equal(a.violated, bit("bounded-apply"));
	assert_int_equal(a.undecided, 0);
	/* one state before the first step, and one after each of four
	 * steps */
	assert_int_equal(a.states, 5);
}

TEST(a_random_search_finds_violations_and_proves_nothing)
{
	struct lab_check *c;
	const struct lab_answer *a = ask(
		&c, QUESTION(.algorithm = "k-ticket~one-more", .n = 3, .k = 2,
			     .random = true, .seed = 7, .seconds = 600));

	(void)state;
	assert_int_equal(a->verdict, LAB_VIOLATED);
	lab_check_end(c);
	a = ask(&c, QUESTION(.algorithm = "k-ticket", .n = 3, .k = 2,
			     .random = true, .seed = 7, .seconds = 0.5));
	assert_int_equal(a->verdict, LAB_BOUNDED);
	assert_string_equal(a->bound, "random");
	lab_check_end(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			models_written_by_hand_have_about_as_many_states),
		cmocka_unit_test(one_worker_and_two_see_the_same_states),
		cmocka_unit_test(a_graph_without_cycles_gives_the_same_answers),
		cmocka_unit_test(the_move_cache_changes_no_state),
		cmocka_unit_test(a_schedule_that_was_found_replays),
		cmocka_unit_test(a_cycle_that_was_found_closes_when_replayed),
		cmocka_unit_test(torn_reads_aborts_deaths_and_wakes_replay),
		cmocka_unit_test(
			a_pass_may_be_repeated_while_a_word_it_read_is_written),
		cmocka_unit_test(
			the_step_at_which_a_schedule_does_not_fit_is_named),
		cmocka_unit_test(
			impossible_questions_are_refused_with_a_reason),
		cmocka_unit_test(k_may_be_larger_than_the_number_of_processes),
		cmocka_unit_test(
			a_check_that_runs_out_of_time_or_memory_is_bounded),
		cmocka_unit_test(
			an_overflow_of_a_simulated_stack_is_reported_as_a_failure),
		cmocka_unit_test(
			a_poll_that_writes_and_fails_needs_retries_in_its_table),
		cmocka_unit_test(a_poll_may_write_in_the_pass_that_succeeds),
		cmocka_unit_test(a_pass_may_read_a_word_twice),
		cmocka_unit_test(the_first_pass_of_a_poll_waits_for_nothing),
		cmocka_unit_test(a_process_that_settles_cannot_give_up),
		cmocka_unit_test(
			a_process_forgets_what_it_slept_on_when_its_wait_is_over),
		cmocka_unit_test(
			a_process_must_be_woken_even_if_it_would_sleep_again),
		cmocka_unit_test(a_poll_may_name_two_values_of_a_word),
		cmocka_unit_test(
			a_wake_up_is_lost_if_a_poll_names_an_old_value),
		cmocka_unit_test(
			workers_see_the_same_states_if_looks_are_counted),
		cmocka_unit_test(a_resize_is_not_an_operation),
		cmocka_unit_test(
			the_search_ends_at_a_step_too_many_of_an_operation),
		cmocka_unit_test(
			a_random_search_finds_violations_and_proves_nothing),
	};

	return RUN(tests);
}
