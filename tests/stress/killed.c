/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that a process that is killed while it sleeps costs the other processes
 * at most one wake for each word on which it slept.
 */
#include "arena.h"
#include "workers.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

static void sleep_on_words(struct word *word, unsigned count)
{
	uint64_t v;

	if (count == 1)
		await(v, &word[0], v == UINT64_MAX);
	else
		await_any(pass)
		{
			for (unsigned i = 0; i < count; i++)
				if (look(pass, &word[i]) == UINT64_MAX)
					_exit(1);
		}
	_exit(1);
}

static unsigned count_wakes(struct word *word, unsigned count)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += word[i].gate >> 2;
	return sum;
}

/*
 * The test uses the words of k-ticket as plain words.  The gate of each word,
 * and the gate of the bell, is raised at most once; each raise costs one system
 * call.
 */
static void kill_sleeper(unsigned count, bool vector)
{
	struct arena arena;
	struct word *bell, *word;
	unsigned raised;
	pid_t pid;

	wait_policy.vector = vector;
	arena_build(&arena, "k-ticket", 2, 1);
	bell = arena_bell(&arena);
	word = arena_words(&arena);
	pid = fork();
	if (pid == 0) {
		arena_move(&arena, 0);
		sleep_on_words(arena_words(&arena), count);
	}
	while (!(word[count - 1].gate & GATE_FLAGS) || !process_sleeps(pid))
		usleep(1000);
	kill(pid, SIGKILL);
	arena_reap(pid, true);
	for (uint64_t i = 0; i < 1000; i++)
		for (unsigned j = 0; j < count; j++) {
			mem_write(&word[j], i);
			mem_wake(&word[j]);
		}
	raised = count_wakes(word, count);
	print_message("%u words%s: %u wakes by 1000 writes of each\n", count,
		      vector ? "" : ", by the bell", raised);
	assert_int_equal(count, raised);
	assert_int_equal(!vector, bell->gate >> 2);
	arena_tear_down(&arena);
}

static void a_killed_sleeper_costs_one_wake(void **state)
{
	(void)state;
	watchdog_start("the process does not fall asleep\n");
	kill_sleeper(1, true);
	kill_sleeper(4, true);
	kill_sleeper(4, false);
}

/*
 * Returns how many wakes `count` passages of process 0 cost while no other
 * process runs.
 */
static unsigned wakes_of_passages(struct arena *arena, unsigned count)
{
	struct process self = arena_process(arena, 0);
	unsigned words = (unsigned)arena->layout.word_count;
	unsigned before = count_wakes(arena_words(arena), words);

	while (count-- > 0) {
		arena_enter(arena, &self);
		arena_leave(arena, &self);
	}
	return count_wakes(arena_words(arena), words) - before;
}

static void after_a_killed_waiter_of_k_bakery_passages_cost_no_wakes(
	void **state)
{
	enum { N = 4 };
	struct arena arena;
	struct process holder, victim;
	struct word *words;
	unsigned recovery, later, armed = 0;
	pid_t pid;

	(void)state;
	watchdog_start("the process does not fall asleep\n");
	arena_build(&arena, "k-bakery", N, 1);
	words = arena_words(&arena);
	holder = arena_process(&arena, 0);
	arena_enter(&arena, &holder);
	pid = fork();
	if (pid == 0) {
		arena_move(&arena, 1);
		victim = arena_process(&arena, 1);
		arena_enter(&arena, &victim);
		_exit(1);
	}
	while (armed == 0 || !process_sleeps(pid)) {
		usleep(1000);
		for (unsigned i = 0; i < arena.layout.word_count; i++)
			armed += words[i].gate & GATE_SLEEPER;
	}
	kill(pid, SIGKILL);
	arena_reap(pid, true);
	victim = arena_process(&arena, 1);
	recovery = count_wakes(words, (unsigned)arena.layout.word_count);
	arena.algorithm->recover(words, &victim);
	arena_leave(&arena, &holder);
	recovery = count_wakes(words, (unsigned)arena.layout.word_count) -
		   recovery;
	later = wakes_of_passages(&arena, 1000);
	print_message("%u wakes to recover it and leave, %u in 1000 passages\n",
		      recovery, later);
	assert_int_equal(0, later);
	arena_tear_down(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(a_killed_sleeper_costs_one_wake),
		STRESS_TEST(
			after_a_killed_waiter_of_k_bakery_passages_cost_no_wakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
