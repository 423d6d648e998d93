/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Killed in its sleep: a process that nobody can wake any more.
 */
#include "arena.h"
#include "crowd.h"

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

static unsigned numbers(struct word *word, unsigned count)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += word[i].gate >> 2;
	return sum;
}

/*
 * k-ticket's memory, as a place for words.  Each word's gate, and the bell's,
 * is raised, which is what costs a system call, at most once.
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
	while (!(word[count - 1].gate & GATE_FLAGS))
		usleep(1000);
	usleep(20000);
	kill(pid, SIGKILL);
	arena_reap(pid, true);
	for (uint64_t i = 0; i < 1000; i++)
		for (unsigned j = 0; j < count; j++) {
			mem_write(&word[j], i);
			mem_wake(&word[j]);
		}
	raised = numbers(word, count);
	print_message("%u words%s: %u wakes by 1000 writes of each\n", count,
		      vector ? "" : ", by the bell", raised);
	assert_int_equal(count, raised);
	assert_int_equal(!vector, bell->gate >> 2);
	arena_tear_down(&arena);
}

static void a_killed_sleeper_costs_one_wake_in_all(void **state)
{
	(void)state;
	crowd_watch(60, "nobody falls asleep\n");
	kill_sleeper(1, true);
	kill_sleeper(4, true);
	kill_sleeper(4, false);
}

/* Wakes that `count` passages of process 0, which is alone, cost. */
static unsigned wakes(struct arena *arena, unsigned count)
{
	struct process self = arena_process(arena, 0);
	unsigned words = (unsigned)arena->layout.word_count;
	unsigned before = numbers(arena_words(arena), words);

	while (count-- > 0) {
		arena_enter(arena, &self);
		arena_leave(arena, &self);
	}
	return numbers(arena_words(arena), words) - before;
}

static void a_killed_waiter_of_k_bakery_leaves_no_price_behind(void **state)
{
	enum { N = 4 };
	struct arena arena;
	struct process holder, victim;
	struct word *words;
	unsigned burial, later, armed = 0;
	pid_t pid;

	(void)state;
	crowd_watch(60, "nobody falls asleep\n");
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
	while (armed == 0) {
		usleep(20000);
		for (unsigned i = 0; i < arena.layout.word_count; i++)
			armed += words[i].gate & GATE_SLEEPER;
	}
	kill(pid, SIGKILL);
	arena_reap(pid, true);
	victim = arena_process(&arena, 1);
	burial = numbers(words, (unsigned)arena.layout.word_count);
	arena.algorithm->recover(words, &victim);
	arena_leave(&arena, &holder);
	burial = numbers(words, (unsigned)arena.layout.word_count) - burial;
	later = wakes(&arena, 1000);
	print_message("%u wakes to bury it and leave, %u in 1000 passages\n",
		      burial, later);
	assert_int_equal(0, later);
	arena_tear_down(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(a_killed_sleeper_costs_one_wake_in_all),
		CROWD_TEST(a_killed_waiter_of_k_bakery_leaves_no_price_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
